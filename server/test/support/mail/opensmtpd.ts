import { type ChildProcess, spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import PostalMime, { type Email } from "postal-mime";
import { freePort } from "../tidings.ts";
import { until } from "../wait.ts";

const SMTPD = "/usr/sbin/smtpd";

/** Whether OpenSMTPD is installed and may be started, which takes root. Without it its tests are skipped with a message; CI must have it. */
export const haveOpenSmtpd: boolean = looked();

function looked(): boolean {
  const root = process.getuid?.() === 0;
  if (root && existsSync(SMTPD)) return true;
  if (root && process.env.CI === "true") throw new Error("OpenSMTPD is not installed, and CI must send through it");
  console.warn("SKIPPED: nothing is sent through OpenSMTPD: it needs root (Debian: apt-get install opensmtpd)");
  return false;
}

export interface OpenSmtpd {
  port: number;
  /** The delivered mails, parsed, with the bytes as they arrived. */
  mails(): Promise<{ raw: string; email: Email }[]>;
}

/**
 * Starts a real mail server on a free port that delivers into a folder, and refuses `refused@...`. A machine runs one OpenSMTPD at a
 * time, because its control socket has a fixed path. `over` is onTestFinished inside a test, where vitest ignores an afterAll.
 */
export async function openSmtpd(over: (end: () => Promise<void>) => void): Promise<OpenSmtpd> {
  const folder = mkdtempSync(join(tmpdir(), "tidings-smtpd-"));
  const mails = join(folder, "mails");
  const port = await freePort();
  // The delivering process runs as nobody: it must be able to find the folder and to write into it.
  chmodSync(folder, 0o755);
  writeFileSync(
    join(folder, "deliver"),
    `#!/bin/sh\nf=$(mktemp ${mails}/XXXXXXXX.part) && cat > $f && mv $f \${f%.part}.eml\n`,
  );
  chmodSync(join(folder, "deliver"), 0o755);
  const lines = [
    `listen on 127.0.0.1 port ${port}`,
    `action "keep" mda "${join(folder, "deliver")}" user nobody virtual { "@" = nobody }`,
    'match from any for rcpt-to "refused@example.test" reject',
    'match from any for any action "keep"',
  ];
  writeFileSync(join(folder, "smtpd.conf"), `${lines.join("\n")}\n`);
  mkdirSync(mails);
  chmodSync(mails, 0o777);
  const child = spawn(SMTPD, ["-d", "-f", join(folder, "smtpd.conf")], { stdio: "ignore" });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  over(async () => {
    child.kill("SIGTERM");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  await until(() => greets(port, child), "the greeting of OpenSMTPD");
  return {
    port,
    async mails() {
      const files = readdirSync(mails).filter((name) => name.endsWith(".eml"));
      const raws = files.map((name) => readFileSync(join(mails, name), "utf8"));
      return Promise.all(raws.map(async (raw) => ({ raw, email: await PostalMime.parse(raw) })));
    },
  };
}

function greets(port: number, child: ChildProcess): Promise<boolean> {
  if (child.exitCode !== null) throw new Error(`OpenSMTPD ended with ${child.exitCode} at its start`);
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("data", () => {
      socket.end("QUIT\r\n");
      resolve(true);
    });
    socket.once("error", () => resolve(false)).once("close", () => resolve(false));
  });
}
