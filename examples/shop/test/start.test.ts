import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test, vi } from "vitest";
import { dataDir, freePort, serve, tidings } from "../../../server/test/support/tidings.ts";
import { until } from "../../../server/test/support/wait.ts";

const START = fileURLToPath(new URL("../server/start.ts", import.meta.url));
/** A database, a service, a bundler and some commands, one after the other: a minute on a loaded machine. */
vi.setConfig({ testTimeout: 240_000 });

/** Runs `npm run example:shop` until the shop is open. */
async function openShop(url: string, port: number, DATA_DIR: string) {
  const shop = spawn(process.execPath, [START, "--url", url, "--port", String(port)], {
    env: { PATH: process.env.PATH, DATA_DIR },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [shop.stdout, shop.stderr]) {
    stream.on("data", (chunk) => {
      output += chunk;
    });
  }
  const over = () => shop.exitCode !== null || shop.signalCode !== null;
  onTestFinished(() => void shop.kill("SIGKILL"));
  await until(() => over() || output.includes("The shop is open"), "the shop", 90_000);
  expect(output).toContain(`http://localhost:${port}`);
  return {
    output: () => output,
    async end(signal: NodeJS.Signals) {
      shop.kill(signal);
      await until(over, "the end", 60_000);
      return shop.exitCode ?? shop.signalCode;
    },
  };
}

/** Returns the shop's keys in the order of their creation, each as its state and its name. */
async function shopKeys(DATA_DIR: string): Promise<string[]> {
  const list = tidings(["keys", "list"], { env: { DATA_DIR } });
  expect(await list.exit).toBe(0);
  const lines = list.stdout().split("\n");
  return lines
    .flatMap((line) => /(active|revoked) .*(example shop.*)/.exec(line)?.slice(1).join(" ") ?? [])
    .toReversed();
}

test("without a running service the example starts one, shows the web page no secret, and leaves no key behind", async () => {
  const DATA_DIR = await dataDir();
  const [service, port] = [await freePort(), await freePort()];
  const url = `http://localhost:${service}`;
  const shop = await openShop(url, port, DATA_DIR);

  const page = await fetch(`http://localhost:${port}/checkout/cart`);
  expect(page.headers.get("content-security-policy")).not.toMatch(/unsafe|\*/);
  const session = await (await fetch(`http://localhost:${port}/shop/session`)).text();
  expect(session).toMatch(/tid_pub_/);
  for (const text of [await page.text(), session]) expect(text).not.toMatch(/tid_sec_|sig_/);

  // Nobody is logged in, so there is nobody to sign for.
  const headers = { "content-type": "application/json" };
  const asked = { method: "POST", headers, body: '{"person_id":"shop-ada"}' };
  expect((await fetch(`http://localhost:${port}/shop/person-token`, asked)).status).toBe(401);

  expect(await shop.end("SIGTERM")).toBe(0);
  await expect(fetch(`${url}/healthz`)).rejects.toThrow();
  expect((await shopKeys(DATA_DIR)).map((key) => key.split(" ")[0])).toEqual(["revoked", "revoked"]);
});

test("the keys of a killed shop are revoked at the next start, and other keys stay", async () => {
  const DATA_DIR = await dataDir();
  const service = await serve({ DATA_DIR });
  const authorization = `Bearer ${service.secretKey}`;
  const live = async () => {
    const response = await fetch(`${service.address}/api/v1/signing-secrets`, { headers: { authorization } });
    const { data } = (await response.json()) as { data: { kid: string; revoked_at: string | null }[] };
    return data.filter(({ revoked_at }) => revoked_at === null).map(({ kid }) => kid);
  };
  const other = { kind: "public", name: "example shop on port 1" };
  const headers = { authorization, "content-type": "application/json" };
  await fetch(`${service.address}/api/v1/api-keys`, { method: "POST", headers, body: JSON.stringify(other) });
  const port = await freePort();
  const name = `example shop on port ${port}`;

  const killed = await openShop(service.address, port, DATA_DIR);
  expect(await killed.end("SIGKILL")).toBe("SIGKILL");
  const [left] = await live();
  expect(await shopKeys(DATA_DIR)).toEqual([`active ${other.name}`, `active ${name}`, `active ${name}, ${left}`]);

  const shop = await openShop(service.address, port, DATA_DIR);
  const [own, ...more] = await live();
  expect([own !== left, more]).toEqual([true, []]);
  expect((await shopKeys(DATA_DIR)).slice(1)).toEqual([
    `revoked ${name}`,
    `revoked ${name}, ${left}`,
    `active ${name}`,
    `active ${name}, ${own}`,
  ]);
  expect(await shop.end("SIGTERM")).toBe(0);
  expect(await live()).toEqual([]);
  expect((await shopKeys(DATA_DIR)).filter((key) => key.startsWith("active"))).toEqual([`active ${other.name}`]);
});
