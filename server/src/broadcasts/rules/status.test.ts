import { BroadcastStatus } from "@tidings/contract/messages/broadcasts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { after, type Move, moved } from "./status.ts";

const statuses = (BroadcastStatus as unknown as { enum: BroadcastStatus[] }).enum;
const authored: Move[] = ["edit", "send", "schedule", "pause", "resume", "cancel", "recall", "remove"];
const moves: Move[] = [...authored, "finish", "fail"];
const ends: BroadcastStatus[] = ["sent", "canceled", "failed"];

/** Every status that a run of moves goes through, from a draft on; moves that can't be change nothing. */
function lived(run: Move[]): BroadcastStatus[] {
  const path: BroadcastStatus[] = ["draft"];
  for (const move of run) path.push(after(path.at(-1) as BroadcastStatus, move) ?? (path.at(-1) as BroadcastStatus));
  return path;
}
const runs = fc.array(fc.constantFrom(...moves), { maxLength: 30 });

describe("the life of a broadcast", () => {
  test("no end is ever left", () => {
    fc.assert(
      fc.property(runs, (run) => {
        const path = lived(run);
        const end = path.findIndex((status) => ends.includes(status));
        if (end >= 0) expect(new Set(path.slice(end)).size).toBe(1);
      }),
    );
  });

  test("what has begun to send is never a draft or scheduled again, so that nobody is sent to under another content", () => {
    fc.assert(
      fc.property(runs, (run) => {
        const path = lived(run);
        const begun = path.indexOf("sending");
        if (begun >= 0) for (const status of path.slice(begun)) expect(["draft", "scheduled"]).not.toContain(status);
      }),
    );
  });

  test("it is sent only from sending, and paused only from sending", () => {
    fc.assert(
      fc.property(runs, (run) => {
        const path = lived(run);
        path.forEach((status, i) => {
          const before = path[i - 1];
          if (i > 0 && status !== before && ["sent", "paused"].includes(status)) expect(before).toBe("sending");
        });
      }),
    );
  });

  test("from wherever it is, canceling or removing it is always possible, until it is over", () => {
    for (const status of statuses)
      expect(after(status, "cancel") !== undefined || after(status, "remove") !== undefined, status).toBe(true);
    for (const status of ["sending", "paused"] as const) expect(after(status, "remove")).toBeUndefined();
  });

  test("a move that can't be is a wrong_status that names where it can be", () => {
    for (const status of statuses) {
      for (const move of authored) {
        if (after(status, move) !== undefined) expect(moved(status, move)).toBe(after(status, move));
        else expect(() => moved(status, move)).toThrow(/it must be/);
      }
    }
    expect(() => moved("sent", "pause")).toThrow("A broadcast that is sent can't be paused: it must be sending.");
  });
});
