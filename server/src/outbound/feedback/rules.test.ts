import fc from "fast-check";
import { expect, test } from "vitest";
import { afterReport, type FeedbackState, JUST_SENT, type Report, STATUS_ORDER } from "./rules.ts";

const reports: fc.Arbitrary<Report> = fc.record({
  kind: fc.constantFrom("delivered", "bounced", "complained", "failed", "opened", "clicked", "unsubscribed"),
  at: fc.integer({ min: 0, max: 1_000 }).map((ms) => new Date(ms)),
  permanent: fc.boolean(),
});
const lists = fc.array(reports, { maxLength: 12 });
const after = (list: Report[]): FeedbackState => list.reduce(afterReport, JUST_SENT);

test("a delivery's status never goes back, whatever is reported", () => {
  fc.assert(
    fc.property(lists, reports, (list, next) => {
      const [before, now] = [after(list), afterReport(after(list), next)];
      expect(STATUS_ORDER.indexOf(now.status)).toBeGreaterThanOrEqual(STATUS_ORDER.indexOf(before.status));
      for (const [name, at] of Object.entries(before.times))
        expect(now.times[name as keyof FeedbackState["times"]]?.getTime()).toBeLessThanOrEqual(at.getTime());
    }),
  );
});

test("reports in another order, and repeated, lead to the same state", () => {
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
  ["a message that was sent and then delivered", "delivered", "delivered"],
  ["a message that the provider gave up", "failed", "failed"],
  ["a message that was opened", "opened", "sent"],
  ["a message that led to an unsubscribe", "unsubscribed", "sent"],
  ["a message that was marked as spam", "complained", "complained"],
])("%s: %s -> %s", (_what, kind, status) => {
  expect(afterReport(JUST_SENT, { kind, at: new Date(0) }).status).toBe(status);
});

test("only a permanent bounce changes the delivery", () => {
  const bounce = { kind: "bounced", at: new Date(5) } as const;
  expect(afterReport(JUST_SENT, bounce)).toEqual(JUST_SENT);
  expect(afterReport(JUST_SENT, { ...bounce, permanent: true })).toEqual({
    status: "bounced",
    times: { bounced: new Date(5) },
  });
});

test("a failure that is reported after the arrival is not believed, and one before it is forgotten", () => {
  const [failed, delivered] = [
    { kind: "failed", at: new Date(1) },
    { kind: "delivered", at: new Date(2) },
  ] as const;
  expect(after([failed, delivered]).status).toBe("delivered");
  expect(after([delivered, failed]).status).toBe("delivered");
});
