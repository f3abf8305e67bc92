import { randomBytes } from "node:crypto";
import { createServer, request as httpRequest, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test, vi } from "vitest";
import { testService } from "../../../test/support/service.ts";
import { atEnd, until } from "../../../test/support/wait.ts";
import { createMetrics } from "../../house.ts";
import { newId } from "../../platform/ids.ts";
import { systemClock } from "../../platform/time/clock.ts";
import { Streams } from "./stream.ts";

const encryptionKey = randomBytes(32);
const it = await testService({ encryptionKey });
const second = await testService({ databaseUrl: it.databaseUrl, encryptionKey });
const here = await it.service.listen();
const there = await second.service.listen();

interface Reader {
  response: IncomingMessage;
  text: () => string;
  events: () => { delivery_id: string; ts: string }[];
  ended: () => boolean;
}

async function open(base: string, personId: string, key: string | undefined = it.publicKey): Promise<Reader> {
  const url = `${base}/data-gateway/v1/in-app/messages/stream?person_id=${personId}&api_key=${key}`;
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    httpRequest(url, resolve).on("error", reject).end();
  });
  let text = "";
  let ended = false;
  response.setEncoding("utf8");
  response.on("data", (chunk: string) => {
    text += chunk;
  });
  response.on("error", () => {});
  response.on("close", () => {
    ended = true;
  });
  atEnd(() => response.destroy());
  const events = () =>
    [...text.matchAll(/event: sync\ndata: (.*)\n\n/g)].map((match) => JSON.parse(match[1] as string));
  return { response, text: () => text, events, ended: () => ended };
}

async function sender(): Promise<(personId: string) => Promise<string>> {
  const made = await it.call("POST", "/api/v1/in-app-messages", {
    body: { name: "n", render_type: "modal", body: "b" },
  });
  return async (personId) => {
    const url = `/api/v1/in-app-messages/${made.body.id}/test-sends`;
    return (await it.call("POST", url, { body: { person_id: personId } })).body.delivery_id;
  };
}
const send = await sender();

async function person(): Promise<string> {
  const id = newId();
  await it.call("POST", "/data-gateway/v1/identify", { body: { person_id: id } });
  return id;
}

describe("the stream", () => {
  test("begins with the comment `: connected`, with the headers of the contract", async () => {
    const reader = await open(here, "anyone");
    await until(() => reader.text().includes("\n\n"));
    expect(reader.text()).toMatch(/^: connected\n\n(?:retry: \d+\n\n)?$/);
    expect(reader.response.statusCode).toBe(200);
    expect(reader.response.headers).toMatchObject({
      "content-type": "text/event-stream",
      "cache-control": "no-store",
      "x-accel-buffering": "no",
      "x-request-id": expect.any(String),
    });
  });

  test("each stream of the person is told of a delivery, on any node, and no stream of others", async () => {
    const [ann, bob] = [await person(), await person()];
    const readers = [await open(here, ann), await open(here, ann), await open(there, ann)];
    const other = await open(there, bob);
    await until(() => second.service.ground.signals.healthy() && it.service.ground.signals.healthy());
    await until(() => [...readers, other].every((reader) => reader.text() !== ""));
    const delivery = await send(ann);
    for (const reader of readers) {
      await until(() => reader.events().length === 1, "the event");
      expect(reader.events()[0]).toEqual({ delivery_id: delivery, ts: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/) });
    }
    const bobs = await send(bob);
    await until(() => other.events().length === 1);
    expect(other.events()[0]?.delivery_id).toBe(bobs);
  });

  test("many deliveries within 250 ms are gathered, and the last one is not lost", async () => {
    const ann = await person();
    const reader = await open(here, ann);
    await until(() => reader.text() !== "");
    const start = performance.now();
    let last = "";
    for (let i = 0; i < 10; i++) last = await send(ann);
    const took = performance.now() - start;
    await until(() => reader.events().at(-1)?.delivery_id === last);
    expect(reader.events().length).toBeGreaterThan(1);
    expect(reader.events().length).toBeLessThanOrEqual(Math.ceil(took / 250) + 1);
  });

  test("an error before the stream is a problem, not a stream", async () => {
    const answer = await it.call("GET", "/data-gateway/v1/in-app/messages/stream?person_id=a", { key: null });
    expect(answer).toMatchObject({ status: 401, body: { code: "unauthenticated" } });
    const url = "/data-gateway/v1/in-app/messages/stream";
    expect((await it.call("GET", url, { key: it.publicKey })).body.code).toBe("invalid_request");
    const secret = await it.call("GET", `${url}?person_id=a&api_key=${it.secretKey}`, { key: null });
    expect(secret).toMatchObject({ status: 403, body: { code: "key_not_permitted" } });
  });

  test("revoking a key ends its streams, on the other node too, and no others", async () => {
    const made = (await it.call("POST", "/api/v1/api-keys", { body: { kind: "public" } })).body;
    const readers = [await open(here, "r", made.key), await open(there, "r", made.key)];
    const kept = await open(there, "r");
    await until(() => [...readers, kept].every((reader) => reader.text() !== ""));
    expect((await it.call("DELETE", `/api/v1/api-keys/${made.id}`)).status).toBe(204);
    for (const reader of readers) await until(() => reader.ended(), "the end of the stream");
    expect(kept.ended()).toBe(false);
  });

  test("at shutdown streams end with a retry hint and don't delay the stop", async () => {
    const third = await testService({ databaseUrl: it.databaseUrl, encryptionKey });
    const reader = await open(await third.service.listen(), "s");
    await until(() => reader.text() !== "");
    await third.service.stop();
    await until(() => reader.ended(), "the end of the stream");
    // Few streams come back soon; many are spread over 10 s (restart.test.ts).
    expect(Number(/retry: (\d+)\n\n$/.exec(reader.text())?.[1])).toBeLessThan(2_100);
  });
});

describe("time", () => {
  test("every stream gets a heartbeat each 20 s, and ends with a retry hint within 70 minutes", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
    const metrics = createMetrics();
    const streams = new Streams({ clock: systemClock, metrics, places: { streams: 9, streamsOfKey: 9 } });
    const server = createServer((_request, response) => streams.open(response, {}, { personKey: newId(), key: "key" }));
    try {
      server.listen(0, "127.0.0.1");
      await until(() => server.listening);
      const { port } = server.address() as AddressInfo;
      const response = await new Promise<IncomingMessage>((resolve) =>
        httpRequest(`http://127.0.0.1:${port}/`, resolve).end(),
      );
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
      });
      const beats = () => text.split(": hb\n\n").length - 1;
      // A second at a time, with the event loop between: what is written must be able to leave.
      const pass = async (seconds: number) => {
        for (let i = 0; i < seconds; i++) {
          vi.advanceTimersByTime(1_000);
          await new Promise((resolve) => setImmediate(resolve));
        }
      };
      await pass(20);
      await until(() => beats() === 1, "the first heartbeat");
      await pass(19);
      expect(beats()).toBe(1);
      await pass(21);
      await until(() => beats() === 3, "two more");
      await pass(70 * 60);
      await until(() => response.complete);
      expect(text).toMatch(/retry: \d+\n\n$/);
      expect(beats()).toBeGreaterThanOrEqual((50 * 60) / 20);
    } finally {
      vi.useRealTimers();
      await streams.stop();
      server.close();
    }
  });
});
