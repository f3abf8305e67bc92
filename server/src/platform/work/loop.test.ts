import { pino } from "pino";
import { expect, onTestFinished, test, vi } from "vitest";
import { until } from "../../../test/support/wait.ts";
import type { Hear, Signals } from "../signals/signals.ts";
import { type LoopOptions, startLoop } from "./loop.ts";

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A loop whose rounds end when the test says so, on signals of its own. */
function held(options: Partial<LoopOptions> = {}) {
  const hearers = new Map<string, Hear>();
  const signals = {
    publish: (topic: string, items: string[]) => hearers.get(topic)?.(items),
    subscribe(topic: string, hear: Hear) {
      hearers.set(topic, hear);
      return () => hearers.delete(topic);
    },
  } as Pick<Signals, "publish" | "subscribe"> as Signals;
  const rounds: PromiseWithResolvers<number>[] = [];
  const round = () => {
    const one = Promise.withResolvers<number>();
    rounds.push(one);
    return one.promise;
  };
  const wakeOn = { due: () => true };
  const dueWork = { ask: () => () => {} };
  const loop = startLoop(
    { log: pino({ level: "silent" }), signals, dueWork },
    { what: "tests", wakeOn, round, ...options },
  );
  onTestFinished(() => {
    for (const one of rounds) one.resolve(1_000);
    return loop.stop();
  });
  /** Ends the last round. */
  const end = async (restMs: number | Error) => {
    if (restMs instanceof Error) rounds.at(-1)?.reject(restMs);
    else rounds.at(-1)?.resolve(restMs);
    await turn();
  };
  return { loop, signals, rounds, end };
}

function fakeTime() {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
}

test("the first round starts by itself, and a poll follows when the rest is over", async () => {
  fakeTime();
  const { rounds, end } = held();
  await turn();
  expect(rounds).toHaveLength(1);
  await end(30_000);
  vi.advanceTimersByTime(29_999);
  await turn();
  expect(rounds).toHaveLength(1);
  vi.advanceTimersByTime(1);
  await turn();
  expect(rounds).toHaveLength(2);
});

test("while more is due the next round starts at once", async () => {
  fakeTime();
  const { rounds, end } = held();
  await turn();
  await end(0);
  await end(0);
  expect(rounds).toHaveLength(3);
});

test("a signal ends the rest, unless its handler says that it need not", async () => {
  fakeTime();
  const heard: string[][] = [];
  const note = (items: string[]) => {
    heard.push(items);
    return items.includes("mine");
  };
  const { rounds, signals, end } = held({ wakeOn: { due: note } });
  await turn();
  await end(1_000);
  signals.publish("due", ["another's"]);
  await turn();
  expect(rounds).toHaveLength(1);
  signals.publish("due", ["mine"]);
  await turn();
  expect(rounds).toHaveLength(2);
  expect(heard).toEqual([["another's"], ["mine"]]);
});

test("a signal during a round is not lost: another round follows at once, and only one", async () => {
  fakeTime();
  const { loop, rounds, signals, end } = held();
  await turn();
  signals.publish("due", ["a"]);
  signals.publish("due", ["b"]);
  loop.wake();
  expect(rounds).toHaveLength(1);
  await end(1_000);
  expect(rounds).toHaveLength(2);
  await end(1_000);
  expect(rounds).toHaveLength(2);
});

test("a round that fails is repeated after a second, however often it was woken meanwhile", async () => {
  fakeTime();
  const { rounds, signals, end } = held();
  await turn();
  signals.publish("due", ["a"]);
  await end(new Error("the database is away"));
  expect(rounds).toHaveLength(1);
  vi.advanceTimersByTime(1_000);
  await turn();
  expect(rounds).toHaveLength(2);
});

test("between two rounds there is a gap, in which any number of signals ask for one round", async () => {
  const { rounds, signals, end } = held({ gapMs: 30 });
  await turn();
  await end(60_000);
  for (let i = 0; i < 100; i++) signals.publish("due", ["a"]);
  expect(rounds).toHaveLength(1);
  await until(() => rounds.length === 2, "the round behind the gap");
});

test("a stop waits for the round under way and starts no other", async () => {
  const { loop, rounds, signals, end } = held({ gapMs: 600_000 });
  await turn();
  let stopped = false;
  const stop = loop.stop().then(() => {
    stopped = true;
  });
  loop.wake();
  signals.publish("due", ["a"]);
  await turn();
  expect([loop.stopping, stopped]).toEqual([true, false]);
  await end(0);
  await stop;
  expect(rounds).toHaveLength(1);
});

test("a stop does not wait for ever for a round that hangs, or for the end of a rest", async () => {
  const hanging = held({ graceMs: 10 });
  await turn();
  await hanging.loop.stop();
  const resting = held({ graceMs: 600_000 });
  await turn();
  await resting.end(600_000);
  await resting.loop.stop();
});
