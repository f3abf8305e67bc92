import fc from "fast-check";
import { expect, test } from "vitest";
import { nextTurn } from "./pace.ts";

const rates = fc.double({ min: 0.01, max: 2_000, noNaN: true });

test("in no span of time do more hand-offs begin than the rate and its burst allow, whenever they ask", () => {
  fc.assert(
    fc.property(rates, fc.array(fc.integer({ min: 0, max: 2_000 }), { minLength: 2, maxLength: 80 }), (rate, gaps) => {
      let now = 0;
      let pace = 0;
      const begun: number[] = [];
      for (const gap of gaps) {
        now += gap;
        const next = nextTurn(pace, rate, now);
        pace = next.pace;
        begun.push(now + next.wait);
      }
      for (let i = 0; i < begun.length; i++) {
        for (let j = i; j < begun.length; j++) {
          const stretch = (begun[j] as number) - (begun[i] as number);
          expect(j - i + 1).toBeLessThanOrEqual((rate * (stretch + 100)) / 1_000 + 1 + 1e-6);
        }
      }
    }),
  );
});

test("hand-offs that ask more slowly than the rate never wait, and simultaneous ones wait for their turn", () => {
  let slow = { wait: 0, pace: 0 };
  for (let now = 0; now < 10_000; now += 500) {
    slow = nextTurn(slow.pace, 2, now);
    expect(slow.wait).toBe(0);
  }
  let pace = 0;
  const waits = Array.from({ length: 4 }, () => {
    const next = nextTurn(pace, 2, 0);
    pace = next.pace;
    return next.wait;
  });
  expect(waits).toEqual([0, 400, 900, 1_400]);
});
