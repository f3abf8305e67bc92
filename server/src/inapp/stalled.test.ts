import { createServer, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { setImmediate as immediate, setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { until } from "../../test/support/wait.ts";
import { createMetrics } from "../house.ts";
import { newId } from "../platform/ids.ts";
import { systemClock } from "../platform/time/clock.ts";
import { Streams } from "./stream/stream.ts";

/** Streams on a bare server, the responses it holds, and sockets that never close of themselves. Gone with the test. */
async function bareStreams() {
  const metrics = createMetrics();
  const streams = new Streams({ clock: systemClock, metrics, quietMs: 0, places: { streams: 100, streamsOfKey: 100 } });
  const responses: ServerResponse[] = [];
  const server = createServer((incoming, response) => {
    responses.push(response);
    streams.open(response, {}, { personKey: (incoming.url as string).slice(1), key: "key" });
  }).listen(0, "127.0.0.1");
  await until(() => server.listening);
  const sockets: Socket[] = [];
  const halfOpen = async (personKey: string): Promise<Socket> => {
    const { port } = server.address() as AddressInfo;
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true }).on("error", () => {});
    sockets.push(socket);
    socket.write(`GET /${personKey} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`);
    const before = responses.length;
    await until(() => responses.length > before, "the stream");
    return socket;
  };
  onTestFinished(async () => {
    await streams.stop();
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    streams,
    responses,
    halfOpen,
    cut: async () => (await metrics.streamsCut.get()).values[0]?.value,
    connections: () => new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count))),
  };
}

type Bare = Awaited<ReturnType<typeof bareStreams>>;

/** Tells the person until more waits than the system's buffers take, which is still so after a rest. */
async function fill(it: Bare, personKey: string): Promise<void> {
  for (let full = 0; full < 3; ) {
    full = it.responses[0]?.writableLength === 0 ? 0 : full + 1;
    if (full === 0) it.streams.notify(Array(100).fill(`${personKey}:${newId()}`));
    await (full === 0 ? immediate() : sleep(20));
  }
}

const nobodyLeft = (it: Bare) => until(async () => (await it.connections()) === 0, "the end of every connection");

describe("a stream whose reader stops reading", () => {
  test("is ended when 64 KiB wait for the reader, while other streams continue", async () => {
    const it = await bareStreams();
    const [slow, quick] = [newId(), newId()];
    (await it.halfOpen(slow)).pause();
    let bytes = 0;
    (await it.halfOpen(quick)).on("data", (chunk: Buffer) => {
      bytes += chunk.length;
    });
    await fill(it, slow);
    expect(await it.cut()).toBe(0);
    await until(async () => {
      it.streams.notify(Array(200).fill(`${slow}:${newId()}`));
      return (await it.cut()) === 1;
    }, "the cut");
    await until(async () => (await it.connections()) === 1, "the end of its connection");
    const before = bytes;
    it.streams.notify([`${quick}:${newId()}`]);
    await until(() => bytes > before, "the event of the other");
  });

  test("is ended after 10 s, even if little data waits", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const it = await bareStreams();
    const personKey = newId();
    (await it.halfOpen(personKey)).pause();
    await fill(it, personKey);
    vi.advanceTimersByTime(9_000);
    expect(await it.cut()).toBe(0);
    vi.advanceTimersByTime(4_000);
    expect(await it.cut()).toBe(1);
    await nobodyLeft(it);
  });
});

test("the connection of a reader that never closes it is ended with the stream, whether the reader read the end or not", async () => {
  const it = await bareStreams();
  const [full, quick] = [newId(), newId()];
  (await it.halfOpen(full)).pause();
  await fill(it, full);
  let heard = "";
  (await it.halfOpen(quick)).setEncoding("latin1").on("data", (chunk: string) => {
    heard += chunk;
  });
  it.streams.endStreamsOf(new Set(["key"]));
  await nobodyLeft(it);
  await until(() => /retry: \d+\n\n\r\n0\r\n\r\n$/.test(heard), "the retry hint, and the end of the answer");
  expect(await it.cut()).toBe(0);
});
