import { MessageChannel } from "node:worker_threads";
import fc from "fast-check";
import { pino } from "pino";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { onAdmin, testDatabase } from "../../../test/support/database.ts";
import { haveNats, type NatsServer, natsCluster } from "../../../test/support/network/nats.ts";
import { until } from "../../../test/support/wait.ts";
import { readConfig } from "../config.ts";
import { otherThread } from "../threads/other-thread.ts";
import { Buckets, type Node, nameOfNode, openSignals, type Signals } from "./index.ts";
import { packed } from "./notices.ts";

const url = await testDatabase();
const log = pino({ level: process.env.TEST_LOG ?? "silent" });
const made: { close(): Promise<void> }[] = [];
afterAll(() => Promise.all(made.map((signals) => signals.close())).then(() => undefined));

/** What a seam of signals is made over, and how its connections are cut. */
interface Seam {
  open(node?: Node): Signals;
  cut(): Promise<void>;
}

function overPostgres(): Seam {
  const database = new URL(url).pathname.slice(1);
  return {
    open: (node) => openSignals({ nats: undefined }, url, log, node),
    cut: () =>
      onAdmin(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'tidings signals' and datname = '${database}'`,
      ),
  };
}

async function overNats(over: (end: () => void) => void = afterAll): Promise<Seam & { server: NatsServer }> {
  const [server] = (await natsCluster(1, over, ["--user", "ada", "--pass", "p@ss/word"])) as [NatsServer];
  const address = server.url.replace("//", "//ada:p%40ss%2Fword@");
  return {
    server,
    open: (node) => openSignals(readConfig({ NATS_URL: address }), url, log, node),
    async cut() {
      server.child.kill("SIGKILL");
      await until(() => server.child.signalCode !== null);
      void server.again();
    },
  };
}

const seams: [string, () => Seam | Promise<Seam>][] = [["LISTEN/NOTIFY", overPostgres]];
if (haveNats) seams.push(["NATS", () => overNats()]);

describe.each(seams)("signals over %s", async (_name, makeSeam) => {
  const seam = await makeSeam();
  const node = (as?: Node) => {
    const signals = seam.open(as);
    made.push(signals);
    return signals;
  };
  /** Interest takes a moment to reach the servers: asks with a marker until `to` hears `from`. */
  async function connected(from: Signals, to: Signals): Promise<void> {
    let heard = 0;
    const end = to.subscribe("marker", () => heard++);
    await until(() => {
      from.publish("marker", ["x"]);
      return heard > 0;
    }, "the first hint");
    end();
  }

  test("a hint reaches its own process at once and the other one soon, each item once", async () => {
    const [a, b] = [node(), node()];
    const heard: Record<"a" | "b", string[]> = { a: [], b: [] };
    a.subscribe("some.topic", (items) => heard.a.push(...items));
    b.subscribe("some.topic", (items) => heard.b.push(...items));
    await connected(a, b);
    const items = Array.from({ length: 10_000 }, (_, i) => `item-${i}`);
    a.publish("some.topic", items);
    expect(heard.a).toEqual(items);
    await until(() => heard.b.length >= items.length);
    expect(heard.b.toSorted()).toEqual(items.toSorted());
    expect(heard.a).toEqual(items);
  });

  test("what one thread of a process publishes, the other one hears once, and at once; other processes hear it once too", async () => {
    const { port1, port2 } = new MessageChannel();
    const name = nameOfNode();
    const [a, b] = [port1, port2].map((port) => node({ name, other: otherThread(port, () => {}) })) as [
      Signals,
      Signals,
    ];
    const c = node();
    onTestFinished(() => port1.close());
    const heard: Record<"a" | "b" | "c", string[]> = { a: [], b: [], c: [] };
    a.subscribe("two.threads", (items) => heard.a.push(...items));
    b.subscribe("two.threads", (items) => heard.b.push(...items));
    c.subscribe("two.threads", (items) => heard.c.push(...items));
    for (const [from, to] of [
      [a, c],
      [b, c],
      [c, a],
      [c, b],
    ] as const)
      await connected(from, to);
    a.publish("two.threads", ["x"]);
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    expect(heard.b).toEqual(["x"]);
    b.publish("two.threads", ["y"]);
    c.publish("two.threads", ["z"]);
    // What comes last by way of the server: all before it has arrived.
    await until(() => [heard.a, heard.b].every((items) => items.includes("z")) && heard.c.length === 3);
    expect(heard).toEqual({ a: ["x", "y", "z"], b: ["x", "y", "z"], c: expect.arrayContaining(["x", "y", "z"]) });
  });

  test("a listener that unsubscribed gets no more hints, and none of another topic", async () => {
    const a = node();
    const heard: string[] = [];
    const stop = a.subscribe("mine", (items) => heard.push(...items));
    a.publish("other", ["x"]);
    a.publish("mine", ["y"]);
    stop();
    a.publish("mine", ["z"]);
    expect(heard).toEqual(["y"]);
  });

  test("with buckets a node receives only hints of the buckets that it needs now", async () => {
    const [a, b] = [node(), node()];
    const people = new Buckets();
    const heard: Record<"a" | "b" | "all", string[]> = { a: [], b: [], all: [] };
    b.subscribe("people", (items) => heard.b.push(...items), people);
    a.subscribe("people", (items) => heard.a.push(...items), new Buckets());
    a.subscribe("people", (items) => heard.all.push(...items));
    people.add("7f11");
    people.add("7f22");
    await until(() => {
      a.publish("people", ["7f33", "8033"]);
      return heard.b.length > 0;
    }, "a hint of the bucket");
    expect(new Set(heard.b)).toEqual(new Set(["7f33"]));
    expect(new Set(heard.all)).toEqual(new Set(["7f33", "8033"]));
    expect(heard.a).toEqual([]);

    people.remove("7f11");
    people.add("8011");
    await until(() => {
      a.publish("people", ["7f44", "8044", "9044"]);
      return heard.b.includes("8044");
    }, "a hint of the second bucket");
    expect(heard.b).toContain("7f44");
    people.remove("7f22");
    await connected(a, b);
    const before = heard.b.length;
    a.publish("people", ["7f55", "8055"]);
    await until(() => heard.b.includes("8055"));
    expect(heard.b.slice(before)).not.toContain("7f55");
  });

  test("after a lost connection a node receives hints again, and publishing meanwhile does not throw", async () => {
    const [a, b] = [node(), node()];
    const heard: string[] = [];
    b.subscribe("again", (items) => heard.push(...items));
    await connected(a, b);
    // Each on its own: the one may be connected again before the other has noticed.
    const cut = Promise.all([a, b].map((one) => until(() => !one.healthy(), "the cut to be seen")));
    await seam.cut();
    await cut;
    a.publish("again", ["meanwhile"]);
    await until(() => a.healthy() && b.healthy(), "the reconnect");
    await until(() => {
      a.publish("again", ["hello"]);
      return heard.includes("hello");
    }, "a hint after the reconnect");
  });

  test("closing sends the last round first", async () => {
    const [a, b] = [node(), node()];
    const heard: string[] = [];
    b.subscribe("last", (items) => heard.push(...items));
    await connected(a, b);
    a.publish("last", ["words"]);
    await a.close();
    await until(() => heard.includes("words"));
    expect(() => a.publish("last", ["too late"])).not.toThrow();
  });
});

describe.skipIf(!haveNats)("NATS", () => {
  test("a server that hangs counts as unhealthy, and closing does not wait for it", async () => {
    const { open, server } = await overNats(onTestFinished);
    const signals = open();
    await until(() => signals.healthy());
    server.child.kill("SIGSTOP");
    await until(() => !signals.healthy(), "the missing answers to be seen");
    signals.publish("any", ["thing"]);
    // It stays stopped, so that a close that waited for it would never end.
    await signals.close();
  });

  test("a node that starts before any server connects when the server is there", async () => {
    const { open, server } = await overNats(onTestFinished);
    server.child.kill("SIGKILL");
    await until(() => server.child.signalCode !== null);
    const [a, b] = [open(), open()];
    made.push(a, b);
    const heard: string[] = [];
    b.subscribe("early", (items) => heard.push(...items));
    a.publish("early", ["one"]);
    expect(a.healthy()).toBe(false);
    await server.again();
    await until(() => {
      a.publish("early", ["two"]);
      return heard.includes("two");
    });
  });
});

test("notices stay below the limit and lose nothing", () => {
  const entry = fc.record({
    topic: fc.constantFrom("t1", "t2", "t3"),
    item: fc.string({ unit: fc.constantFrom(..."0123456789abcdef-"), minLength: 1, maxLength: 80 }),
  });
  const property = fc.property(
    fc.array(entry, { maxLength: 400 }),
    fc.integer({ min: 120, max: 8_000 }),
    (waiting, most) => {
      const notices = packed(waiting, ({ topic }) => `node ${topic}`, most);
      expect(notices.every((notice) => Buffer.byteLength(notice) <= most)).toBe(true);
      const items = notices.flatMap((notice) => {
        const [, topic, ...found] = notice.split(" ");
        return found.map((item) => `${topic} ${item}`);
      });
      expect(items.toSorted()).toEqual([...new Set(waiting.map(({ topic, item }) => `${topic} ${item}`))].toSorted());
    },
  );
  fc.assert(property);
});
