import { type ChildProcess, execFile, spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { SigningSecret } from "./person-token.ts";
import { type Keys, type ProductApi, productApi } from "./product-api.ts";

const BIN = fileURLToPath(new URL("../../../server/bin/tidings.js", import.meta.url));
/** The first start creates a database. */
const START_MS = 60_000;
const run = promisify(execFile);

/** Returns the service at this address: a running one, or one that is started here and ended later. */
export async function runningService(url: string): Promise<{ stop: () => Promise<void> }> {
  if (await answers(url)) return { stop: async () => {} };
  const { hostname, port, protocol } = new URL(url);
  if (protocol !== "http:" || !["localhost", "127.0.0.1"].includes(hostname))
    throw new Error(`no service answers on ${url}`);
  console.log(`No service answers on ${url}: starting one.`);
  // In its own process group: Ctrl-C ends it after its keys are revoked, and not before.
  const child = spawn(process.execPath, [BIN, "serve"], {
    stdio: ["ignore", "inherit", "inherit"],
    detached: true,
    env: { ...process.env, PORT: port || "80", LOG_LEVEL: process.env.LOG_LEVEL ?? "warn" },
  });
  for (const end = Date.now() + START_MS; !(await answers(url)); await sleep(100)) {
    if (child.exitCode !== null) throw new Error("the service ended at its start");
    if (Date.now() < end) continue;
    child.kill();
    throw new Error(`the service did not answer within ${START_MS / 1000} s`);
  }
  return { stop: () => ended(child) };
}

/** Whether a service answers at this address. */
export async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/readyz`)).ok;
  } catch {
    return false;
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const over = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  await over;
}

/** The keys that the shop needs while it runs. */
export interface Access {
  keys: Keys;
  signing: SigningSecret;
  revoke: () => Promise<void>;
}

/**
 * Creates a secret key by the command line, as `npx tidings keys` does, and uses it to create the others. The names contain the shop's
 * port: a killed shop revokes nothing, so the next one on its port does.
 */
export async function temporaryAccess(url: string, port: string, workspace: string | undefined): Promise<Access> {
  const name = `example shop on port ${port}`;
  const where = workspace ? ["--workspace", workspace] : [];
  const make = [BIN, "keys", "create", "--kind", "secret", "--name", name, ...where];
  const [id = "", secret = ""] = (await run(process.execPath, make)).stdout.split(/\s+/);
  const api = productApi(url, secret);
  const made = [`api-keys/${id}`];
  const revoke = async () => {
    // The key that revokes the others is revoked last.
    for (const path of made.splice(0).reverse()) await api("DELETE", `/api/v1/${path}`);
  };
  try {
    await revokeLeft(api, name, id);
    const signing = (await api("POST", "/api/v1/signing-secrets", {})) as SigningSecret;
    made.push(`signing-secrets/${signing.kid}`);
    // A signing secret has no name, so the key's name contains the secret's id.
    const input = { kind: "public", name: `${name}, ${signing.kid}` };
    const { id: publicId, key } = (await api("POST", "/api/v1/api-keys", input)) as { id: string; key: string };
    made.push(`api-keys/${publicId}`);
    return { keys: { secret, public: key }, signing, revoke };
  } catch (error) {
    await revoke();
    throw error;
  }
}

/** A third signing secret would be refused, so two killed shops would prevent the next one from starting. */
async function revokeLeft(api: ProductApi, name: string, own: string): Promise<void> {
  const { data } = (await api("GET", "/api/v1/api-keys?limit=200")) as {
    data: { id: string; name: string; revoked_at: string | null }[];
  };
  for (const key of data) {
    const [shop, kid] = key.name.split(", ");
    if (shop !== name || key.id === own || key.revoked_at !== null) continue;
    if (kid) {
      await api("DELETE", `/api/v1/signing-secrets/${kid}`).catch(() => {
        // Somebody revoked it already.
      });
    }
    await api("DELETE", `/api/v1/api-keys/${key.id}`);
  }
}
