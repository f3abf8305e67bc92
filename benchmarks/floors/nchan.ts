import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../processes/ports.ts";

/** The path of the module in Debian's libnginx-mod-nchan. */
const MODULE = "/usr/lib/nginx/modules/ngx_nchan_module.so";

export interface Nginx {
  port: number;
  stop(): Promise<void>;
}

/**
 * Starts nginx with nchan in one worker process: POST /publish?person_id= reaches GET /stream?person_id=, as in the bare server of
 * floor.ts, and nothing is stored. Returns undefined if it is not installed. @throws Error if it does not start
 */
export async function startNchan(connections: number): Promise<Nginx | undefined> {
  if (!existsSync(MODULE) || spawnSync("nginx", ["-v"]).status !== 0) return undefined;
  const folder = await mkdtemp(join(tmpdir(), "tidings-nchan-"));
  const port = await freePort();
  await writeFile(join(folder, "nginx.conf"), configuration(folder, port, connections));
  const nginx = spawn("nginx", ["-c", join(folder, "nginx.conf"), "-p", folder, "-e", "stderr"], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const over = () => nginx.exitCode !== null || nginx.signalCode !== null;
  const stop = async () => {
    await ended(nginx, over);
    await rm(folder, { recursive: true, force: true });
  };
  for (const end = Date.now() + 10_000; !(await listens(port)); await sleep(50)) {
    if (!over() && Date.now() < end) continue;
    await stop();
    throw new Error("nginx with nchan did not start");
  }
  return { port, stop };
}

const configuration = (folder: string, port: number, connections: number): string => `
load_module ${MODULE};
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log stderr warn;
events { worker_connections ${connections + 1_000}; }
http {
  access_log off;
  keepalive_requests 1000000;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  server {
    listen 127.0.0.1:${port} backlog=4096;
    nchan_channel_id $arg_person_id;
    location = /publish { nchan_publisher; nchan_message_buffer_length 0; nchan_store_messages off; }
    location = /stream { nchan_subscriber eventsource; nchan_subscriber_first_message newest; }
  }
}
`;

async function ended(nginx: ChildProcess, over: () => boolean): Promise<void> {
  if (over()) return;
  const gone = once(nginx, "exit");
  nginx.kill("SIGTERM");
  const hard = setTimeout(() => nginx.kill("SIGKILL"), 10_000);
  await gone;
  clearTimeout(hard);
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("error", () => resolve(false));
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
  });
}
