import { MessageChannel } from "node:worker_threads";
import { Counter, Gauge, Registry } from "prom-client";
import { expect, onTestFinished, test } from "vitest";
import { fromShared, type OtherThread, otherThread, type Told, toShared } from "./other-thread.ts";
import { answerScrapes, scraper } from "./scrape.ts";

const NUMBER: Told<number> = "test.number";

/** Two ends of a line, as two threads have them. */
function line(failed: (error: unknown) => void = () => {}): [OtherThread, OtherThread] {
  const { port1, port2 } = new MessageChannel();
  onTestFinished(() => port1.close());
  return [otherThread(port1, failed), otherThread(port2, failed)];
}

test("messages arrive in order, and an error of one hearer keeps them from no other", async () => {
  const failed: unknown[] = [];
  const [here, there] = line((error) => failed.push(error));
  const heard: number[] = [];
  const last = Promise.withResolvers<void>();
  there.on(NUMBER, (number) => {
    if (number === 2) throw new Error("two");
  });
  there.on(NUMBER, (number) => {
    heard.push(number);
    if (number === 3) last.resolve();
  });
  here.tell("test.nobody", "listens");
  for (const number of [1, 2, 3]) here.tell(NUMBER, number);
  await last.promise;
  expect(heard).toEqual([1, 2, 3]);
  expect(failed).toEqual([new Error("two")]);
});

test("a time that goes to the other thread and back is the same", () => {
  const now = performance.now();
  expect(fromShared(toShared(now))).toBeCloseTo(now, 3);
});

function registryWith(sent: number, connected: number): Registry {
  const registry = new Registry();
  new Counter({ name: "sent_total", help: "Sent", labelNames: ["by"], registers: [registry] }).inc({ by: "x" }, sent);
  new Gauge({ name: "connected", help: "Connected", registers: [registry], aggregator: "min" }).set(connected);
  return registry;
}

test("a scrape shows the sum of both threads, a gauge as it says, and what only one has", async () => {
  const [here, there] = line();
  const mine = registryWith(2, 1);
  new Gauge({ name: "mine_only", help: "Mine", registers: [mine] }).set(7);
  const theirs = registryWith(40, 0);
  new Gauge({ name: "theirs_only", help: "Theirs", registers: [theirs] }).set(8);
  answerScrapes(there, theirs);
  const text = await scraper(mine, here)();
  const lines = text.split("\n").filter((one) => one !== "" && !one.startsWith("#"));
  expect(lines.toSorted()).toEqual(["connected 0", "mine_only 7", 'sent_total{by="x"} 42', "theirs_only 8"]);
  expect(text.match(/^# TYPE/gm)).toHaveLength(4);
});

test("a scrape does not wait for a thread that does not answer, and shows what it said last", async () => {
  const [here, there] = line();
  const scrape = scraper(registryWith(1, 1), here);
  expect(await scrape()).toMatch(/^sent_total\{by="x"\} 1$/m);
  answerScrapes(there, registryWith(2, 1));
  expect(await scrape()).toMatch(/^sent_total\{by="x"\} 3$/m);
});

test("scrapes at the same moment ask the other thread once, and a later one asks again", async () => {
  const [here, there] = line();
  let asked = 0;
  there.on("metrics.asked", () => asked++);
  answerScrapes(there, registryWith(2, 1));
  const scrape = scraper(registryWith(1, 1), here);
  const texts = await Promise.all([scrape(), scrape(), scrape()]);
  for (const text of texts) expect(text).toMatch(/^sent_total\{by="x"\} 3$/m);
  expect(asked).toBe(1);
  expect(await scrape()).toMatch(/^sent_total\{by="x"\} 3$/m);
  expect(asked).toBe(2);
});
