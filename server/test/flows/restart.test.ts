import { expect, onTestFinished, test, vi } from "vitest";
import { testDatabase } from "../support/database.ts";
import { eventSources, haveFiles } from "../support/network/event-sources.ts";
import { freePort, type Running, serve } from "../support/tidings.ts";
import { until } from "../support/wait.ts";

// A process with 5,000 open streams is restarted, as by a deploy, while another one keeps sending.

vi.setConfig({ testTimeout: 240_000 });

const STREAMS = 5_000;
/** The recipients: every fiftieth person. */
const SENT_TO = 100;
const databaseUrl = await testDatabase();
const secretKey = "tid_sec_restart-test";
const publicKey = "tid_pub_restart-test";
const env = {
  DATABASE_URL: databaseUrl,
  ENCRYPTION_KEY: Buffer.alloc(32, 9).toString("base64"),
  BOOTSTRAP_SECRET_KEY: secretKey,
  BOOTSTRAP_PUBLIC_KEY: publicKey,
  LOG_FORMAT: "json",
};

async function post(node: Running, path: string, body: object) {
  const response = await fetch(node.address + path, {
    method: "POST",
    headers: { authorization: `Bearer ${secretKey}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  expect(response.ok, `${path} answered ${response.status}`).toBe(true);
  return (await response.json()) as Record<string, string>;
}

test.skipIf(!haveFiles(STREAMS + 1_000))(
  "5,000 streams are back after a restart, spread, and miss no message",
  async () => {
    const env1 = { ...env, ROLES: "api", PORT: String(await freePort()) };
    const sender = await serve({ ...env, ROLES: "api,worker" });
    const first = await serve(env1);
    const people = Array.from({ length: STREAMS }, (_, i) => `person-${i}`);
    const known = people.filter((_, i) => i % (STREAMS / SENT_TO) === 0);
    await Promise.all(known.map((person_id) => post(sender, "/data-gateway/v1/identify", { person_id })));
    const { id } = await post(sender, "/api/v1/in-app-messages", { name: "n", render_type: "modal", body: "b" });
    const sent: { person: string; delivery: string }[] = [];
    const send = async (person: string) => {
      const { delivery_id } = await post(sender, `/api/v1/in-app-messages/${id}/test-sends`, { person_id: person });
      sent.push({ person, delivery: delivery_id as string });
    };

    const sources = eventSources(first.address, publicKey, people);
    onTestFinished(() => sources.close());
    await until(() => sources.open() === STREAMS, "the opening of all streams", 90_000);
    await until(() => sources.seen.size === STREAMS, "the first sync of each", 60_000);

    sources.waits();
    first.kill("SIGTERM");
    expect(await first.exit).toBe(0);
    await until(() => sources.open() === 0, "the end of all streams");
    const waits = sources.waits();
    for (const person of known) await send(person);
    const again = await serve(env1);
    const back = until(() => sources.open() === STREAMS, "the return of all streams", 90_000);
    await Promise.all([back, ...known.map(send)]);

    // Clients reconnect at the time that they were told: at most a third of them within any second.
    expect(waits).toHaveLength(STREAMS);
    const seconds = new Map<number, number>();
    for (const wait of waits) seconds.set(Math.floor(wait / 1_000), (seconds.get(Math.floor(wait / 1_000)) ?? 0) + 1);
    expect(Math.max(...seconds.values())).toBeLessThan(STREAMS / 3);
    expect(Math.max(...waits)).toBeLessThanOrEqual(10_000);
    expect(sources.refusals).toEqual([]);
    const missed = () => sent.filter(({ person, delivery }) => !sources.seen.get(person)?.has(delivery));
    await until(() => missed().length === 0, "the sight of each message", 60_000);
    expect(sent).toHaveLength(2 * SENT_TO);

    sources.close();
    for (const node of [sender, again]) node.kill("SIGTERM");
    expect(await Promise.all([sender.exit, again.exit])).toEqual([0, 0]);
  },
);
