import fc from "fast-check";
import { expect, test } from "vitest";
import { type Fate, HEIGHTS, JUST_SENT, type Report, told } from "./rules.ts";

const reports: fc.Arbitrary<Report> = fc.record({
  kind: fc.constantFrom("delivered", "bounced", "complained", "failed", "opened", "clicked", "unsubscribed"),
  at: fc.integer({ min: 0, max: 1_000 }).map((ms) => new Date(ms)),
  permanent: fc.boolean(),
});
const lists = fc.array(reports, { maxLength: 12 });
const after = (list: Report[]): Fate => list.reduce(told, JUST_SENT);

test("a delivery never goes backwards, whatever is told", () => {
  fc.assert(
    fc.property(lists, reports, (list, next) => {
      const [before, now] = [after(list), told(after(list), next)];
      expect(HEIGHTS.indexOf(now.height)).toBeGreaterThanOrEqual(HEIGHTS.indexOf(before.height));
      for (const [name, at] of Object.entries(before.times))
        expect(now.times[name as keyof Fate["times"]]?.getTime()).toBeLessThanOrEqual(at.getTime());
    }),
  );
});

test("reports in another order, and told twice, end in the same", () => {
  const shuffled = lists.chain((list) =>
    fc.tuple(fc.constant(list), fc.shuffledSubarray([...list, ...list], { minLength: 2 * list.length })),
  );
  fc.assert(
    fc.property(shuffled, ([list, mixed]) => {
      expect(after(mixed)).toEqual(after(list));
    }),
  );
});

test.each<[string, Report["kind"], string]>([
  ["what is sent and then delivered", "delivered", "delivered"],
  ["what the provider gave up", "failed", "failed"],
  ["what is opened", "opened", "sent"],
  ["what somebody unsubscribed from", "unsubscribed", "sent"],
  ["what is marked as spam", "complained", "complained"],
])("%s is %s -> %s", (_what, kind, height) => {
  expect(told(JUST_SENT, { kind, at: new Date(0) }).height).toBe(height);
});

test("only a permanent bounce changes the delivery", () => {
  const bounce = { kind: "bounced", at: new Date(5) } as const;
  expect(told(JUST_SENT, bounce)).toEqual(JUST_SENT);
  expect(told(JUST_SENT, { ...bounce, permanent: true })).toEqual({
    height: "bounced",
    times: { bounced: new Date(5) },
  });
});

test("a report of failure that comes after the delivery is not believed, one before it is forgotten", () => {
  const [failed, delivered] = [
    { kind: "failed", at: new Date(1) },
    { kind: "delivered", at: new Date(2) },
  ] as const;
  expect(after([failed, delivered]).height).toBe("delivered");
  expect(after([delivered, failed]).height).toBe("delivered");
});
