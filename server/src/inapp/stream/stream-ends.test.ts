import { get, type IncomingMessage } from "node:http";
import { SignJWT } from "jose";
import { describe, expect, test } from "vitest";
import { testClock, testService } from "../../../test/support/service.ts";
import { atEnd, until } from "../../../test/support/wait.ts";
import { byCommand, setSuspended } from "../../workspaces/index.ts";

const clock = testClock();
const it = await testService({ clock, env: { MAX_CONNECTIONS: "40", STREAMS_PER_KEY: "15" } });
const origin = await it.service.listen();

interface Reader {
  status: number | undefined;
  text(): string;
  ended(): boolean;
  close(): void;
}

async function open(personId: string, key: string, token?: string): Promise<Reader> {
  const query = new URLSearchParams({ person_id: personId, api_key: key, ...(token && { person_token: token }) });
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(`${origin}/data-gateway/v1/in-app/messages/stream?${query}`, { agent: false }, resolve).on("error", reject);
  });
  let [text, ended] = ["", false];
  response.setEncoding("utf8").on("data", (part) => (text += part));
  response.on("error", () => {}).on("close", () => (ended = true));
  atEnd(() => response.destroy());
  return { status: response.statusCode, text: () => text, ended: () => ended, close: () => response.destroy() };
}
const isOver = ({ ended, text }: Reader): boolean => ended() && /retry: \d+\n\n$/.test(text());
const openNow = async (): Promise<number> => (await it.service.ground.metrics.streams.get()).values[0]?.value ?? 0;
const allClosed = async (readers: Reader[]) => {
  for (const reader of readers) reader.close();
  await until(async () => (await openNow()) === 0, "all streams closed");
};
async function secretOf(key: string): Promise<{ kid: string; secret: string }> {
  return (await it.call("POST", "/api/v1/signing-secrets", { key, body: {} })).body;
}
const tokenFor = (sub: string, { kid, secret }: { kid: string; secret: string }, seconds: number) =>
  new SignJWT({})
    .setProtectedHeader({ alg: "HS256", kid })
    .setSubject(sub)
    .setExpirationTime(Math.floor(clock.now().getTime() / 1_000) + seconds)
    .sign(Buffer.from(secret));

describe("the limits of streams", () => {
  test("a person's eleventh stream closes the oldest one, with a hint when to reconnect", async () => {
    const readers: Reader[] = [];
    for (let i = 0; i < 10; i++) readers.push(await open("ann", it.publicKey));
    await until(async () => (await openNow()) === 10, "ten streams");
    readers.push(await open("ann", it.publicKey), await open("bob", it.publicKey));
    await until(() => isOver(readers[0] as Reader), "the end of the oldest");
    expect(readers.map(({ ended }) => ended()).indexOf(false)).toBe(1);
    expect(await openNow()).toBe(11);
    await allClosed(readers);
  });

  test("a key can use only its share, which leaves room for other keys, /readyz and requests; a stream beyond it is told to reconnect later", async () => {
    const other = await it.another();
    const readers: Reader[] = [];
    for (let i = 0; i < 60; i++) readers.push(await open(`person ${i}`, it.publicKey));
    expect(new Set(readers.map(({ status }) => status))).toEqual(new Set([200]));
    for (const reader of readers.slice(15)) await until(() => isOver(reader), "the end of those that are too many");
    expect(await openNow()).toBe(15);
    expect((await fetch(`${origin}/readyz`)).status).toBe(200);
    const theirs = await open("ann", other.publicKey);
    await until(() => theirs.text().includes(": connected"), "another's stream");
    expect(await openNow()).toBe(16);
    expect(readers.slice(0, 15).some(({ ended }) => ended())).toBe(false);
    readers[0]?.close();
    await until(async () => (await openNow()) === 15, "a place that is free again");
    readers.push(await open("person 61", it.publicKey));
    await until(async () => (await openNow()) === 16, "a stream in its place");
    await allClosed([...readers, theirs]);
  });

  test("the process keeps connections for the rest, whatever the keys are", async () => {
    const keys = [it, await it.another(), await it.another()];
    const readers: Reader[] = [];
    for (let i = 0; i < 45; i++) readers.push(await open(`person ${i}`, keys[i % 3]?.publicKey as string));
    await until(() => readers.filter(isOver).length === 13, "the end of those that are too many");
    expect(await openNow()).toBe(32);
    expect((await fetch(`${origin}/readyz`)).status).toBe(200);
    expect(it.service.app.server.maxConnections).toBe(40);
    await allClosed(readers);
  });
});

describe("a stream ends", () => {
  test("with its person token, so that the client comes back with a fresh one", async () => {
    const mine = await it.another();
    const secret = await secretOf(mine.secretKey);
    await it.call("PATCH", "/api/v1/workspace", { key: mine.secretKey, body: { identity_verification: "required" } });
    const [short, long] = [await tokenFor("ann", secret, 60), await tokenFor("ann", secret, 3_600)];
    const [ends, stays] = [await open("ann", mine.publicKey, short), await open("ann", mine.publicKey, long)];
    await until(async () => (await openNow()) === 2, "two streams");
    clock.forward(61_000);
    await until(() => isOver(ends), "the end of the stream");
    expect(stays.ended()).toBe(false);
    expect((await open("ann", mine.publicKey, short)).status).toBe(401);
    await allClosed([stays]);
  });

  test("with the secret that signed its token, and not with another one", async () => {
    const mine = await it.another();
    const [gone, kept] = [await secretOf(mine.secretKey), await secretOf(mine.secretKey)];
    const readers = [
      await open("ann", mine.publicKey, await tokenFor("ann", gone, 3_600)),
      await open("ann", mine.publicKey, await tokenFor("ann", kept, 3_600)),
      await open("ann", mine.publicKey),
    ];
    await until(async () => (await openNow()) === 3, "three streams");
    await it.call("DELETE", `/api/v1/signing-secrets/${gone.kid}`, { key: mine.secretKey });
    await until(() => isOver(readers[0] as Reader), "the end of the stream");
    expect(readers.map(({ ended }) => ended())).toEqual([true, false, false]);
    await allClosed(readers);
  });

  test("with its workspace's suspension", async () => {
    const mine = await it.another();
    const [theirs, others] = [await open("ann", mine.publicKey), await open("ann", it.publicKey)];
    await until(async () => (await openNow()) === 2, "two streams");
    await it.service.ground.db.transaction((tx) =>
      setSuspended(tx, byCommand(mine.workspaceId, "test"), true, new Date()),
    );
    await until(() => isOver(theirs), "the end of the stream");
    expect(others.ended()).toBe(false);
    await allClosed([others]);
  });
});
