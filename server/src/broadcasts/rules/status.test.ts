import { BroadcastStatus } from "@tidings/contract/messages/broadcasts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Move, nextStatus, statusAfter } from "./status.ts";

const statuses = (BroadcastStatus as unknown as { enum: BroadcastStatus[] }).enum;
const authored: Move[] = ["edit", "send", "schedule", "pause", "resume", "cancel", "recall", "remove"];
const moves: Move[] = [...authored, "finish", "fail"];
const ends: BroadcastStatus[] = ["sent", "canceled", "failed"];

/** Returns each status that a run of moves goes through, from a draft on. Impossible moves change nothing. */
function pathOf(run: Move[]): BroadcastStatus[] {
  const path: BroadcastStatus[] = ["draft"];
  for (const move of run)
    path.push(statusAfter(path.at(-1) as BroadcastStatus, move) ?? (path.at(-1) as BroadcastStatus));
  return path;
}
const runs = fc.array(fc.constantFrom(...moves), { maxLength: 30 });

describe("the life of a broadcast", () => {
  test("a final status never changes", () => {
    fc.assert(
      fc.property(runs, (run) => {
        const path = pathOf(run);
        const end = path.findIndex((status) => ends.includes(status));
        if (end >= 0) expect(new Set(path.slice(end)).size).toBe(1);
      }),
    );
  });

  test("a broadcast that began to send is never a draft or scheduled again, so that nobody gets another content", () => {
    fc.assert(
      fc.property(runs, (run) => {
        const path = pathOf(run);
        const begun = path.indexOf("sending");
        if (begun >= 0) for (const status of path.slice(begun)) expect(["draft", "scheduled"]).not.toContain(status);
      }),
    );
  });

  test("it is sent only from sending, and paused only from sending", () => {
    fc.assert(
      fc.property(runs, (run) => {
        const path = pathOf(run);
        path.forEach((status, i) => {
          const before = path[i - 1];
          if (i > 0 && status !== before && ["sent", "paused"].includes(status)) expect(before).toBe("sending");
        });
      }),
    );
  });

  test("it can be canceled or removed in every status", () => {
    for (const status of statuses)
      expect(statusAfter(status, "cancel") !== undefined || statusAfter(status, "remove") !== undefined, status).toBe(
        true,
      );
    for (const status of ["sending", "paused"] as const) expect(statusAfter(status, "remove")).toBeUndefined();
  });

  test("an impossible move is a wrong_status that names the statuses in which it is possible", () => {
    for (const status of statuses) {
      for (const move of authored) {
        if (statusAfter(status, move) !== undefined) expect(nextStatus(status, move)).toBe(statusAfter(status, move));
        else expect(() => nextStatus(status, move)).toThrow(/it must be/);
      }
    }
    expect(() => nextStatus("sent", "pause")).toThrow("A broadcast that is sent can't be paused: it must be sending.");
  });
});
