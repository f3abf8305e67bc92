import { describe, expect, onTestFinished, test, vi } from "vitest";
import { until } from "../../../test/support/wait.ts";
import { gather } from "./gather.ts";

/** A run whose end the test decides. */
function held() {
  const batches: { inputs: number[]; finish: (error?: Error) => void }[] = [];
  const run = (inputs: number[]) =>
    new Promise<number[]>((resolve, reject) => {
      batches.push({ inputs, finish: (error) => (error ? reject(error) : resolve(inputs.map((n) => n * 10))) });
    });
  return { batches, run };
}
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("gather", () => {
  test("a lone call starts at the end of its turn and gets its answer", async () => {
    const one = gather<number, number>(async (inputs) => inputs.map((n) => n * 10));
    expect(await one(4)).toBe(40);
  });

  test("calls of one turn share a run; later calls wait for a free slot and then share one", async () => {
    const { batches, run } = held();
    const one = gather(run, { inFlight: 1 });
    const answers = [one(1), one(2)];
    await turn();
    answers.push(one(3), one(4), one(5));
    await turn();
    expect(batches.map((batch) => batch.inputs)).toEqual([[1, 2]]);
    batches[0]?.finish();
    await until(() => batches.length > 1, "the second run");
    expect(batches.map((batch) => batch.inputs)).toEqual([
      [1, 2],
      [3, 4, 5],
    ]);
    batches[1]?.finish();
    expect(await Promise.all(answers)).toEqual([10, 20, 30, 40, 50]);
  });

  test("no run has more than the maximum of inputs, and all inputs are processed", async () => {
    const sizes: number[] = [];
    const one = gather<number, number>(
      async (inputs) => {
        sizes.push(inputs.length);
        return inputs;
      },
      { most: 10 },
    );
    expect(await Promise.all(Array.from({ length: 95 }, (_, i) => one(i)))).toEqual(
      Array.from({ length: 95 }, (_, i) => i),
    );
    expect(Math.max(...sizes)).toBe(10);
  });

  test("a second run waits for its share of the calls, and no longer than a moment", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const { batches, run } = held();
    const one = gather(run);
    const sizes = () => batches.map(({ inputs }) => inputs.length);
    const answers = Array.from({ length: 6 }, (_, i) => one(i));
    await turn();
    answers.push(one(6), one(7), one(8));
    await turn();
    expect(sizes()).toEqual([6]);
    answers.push(one(9), one(10), one(11));
    await turn();
    expect(sizes()).toEqual([6, 6]);
    batches[1]?.finish();
    await answers[11];
    answers.push(one(12));
    await turn();
    expect(sizes()).toEqual([6, 6]);
    vi.runAllTimers();
    expect(sizes()).toEqual([6, 6, 1]);
    for (const batch of batches) batch.finish();
    expect(await Promise.all(answers)).toHaveLength(13);
  });

  test("a run that hangs keeps its own calls waiting, and two more may hang before others do", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const { batches, run } = held();
    const one = gather(run, { inFlight: 1 });
    const answers: Promise<number>[] = [];
    for (let n = 1; n <= 5; n++) {
      answers.push(one(n));
      await turn();
      vi.runAllTimers();
      await turn();
    }
    expect(batches.map(({ inputs }) => inputs)).toEqual([[1], [2], [3]]);
    batches[0]?.finish();
    batches[2]?.finish();
    await until(() => batches.length === 4, "the next run");
    expect(batches[3]?.inputs).toEqual([4, 5]);
    for (const batch of batches) batch.finish();
    expect(await Promise.all(answers)).toEqual([10, 20, 30, 40, 50]);
  });

  test("many calls are split evenly among the runs", async () => {
    const { batches, run } = held();
    const one = gather(run, { inFlight: 2 });
    const answers = Array.from({ length: 41 }, (_, i) => one(i));
    await turn();
    expect(batches.map(({ inputs }) => inputs.length)).toEqual([21, 20]);
    for (const batch of batches) batch.finish();
    expect(await Promise.all(answers)).toHaveLength(41);
  });

  test("an error in the answer rejects that call only", async () => {
    const one = gather<number, number>(async (inputs) => inputs.map((n) => (n === 2 ? new Error("two") : n)));
    const [first, second] = await Promise.allSettled([one(1), one(2)]);
    expect(first).toEqual({ status: "fulfilled", value: 1 });
    expect(second).toMatchObject({ status: "rejected", reason: { message: "two" } });
  });

  test("a batch that was refused is tried one by one, so that one bad input fails alone", async () => {
    const one = gather<number, number>(
      async (inputs) => {
        if (inputs.includes(2)) throw new Error("refused");
        return inputs;
      },
      { retryAlone: () => true },
    );
    const settled = await Promise.allSettled([one(1), one(2), one(3)]);
    expect(settled.map((result) => result.status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  });

  test("a batch whose fate is unknown is not tried again", async () => {
    let runs = 0;
    const one = gather<number, number>(async () => {
      runs++;
      throw new Error("connection lost");
    });
    const settled = await Promise.allSettled([one(1), one(2)]);
    expect(settled.map((result) => result.status)).toEqual(["rejected", "rejected"]);
    expect(runs).toBe(1);
  });
});
