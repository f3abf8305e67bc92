import type { RunStatus } from "@tidings/contract/campaigns/campaigns";
import { OFFERED, type Offered } from "../../activity/index.ts";
import type { Tx } from "../../platform/db/index.ts";
import { encodeId } from "../../platform/ids.ts";
import type { RunRow } from "./run.ts";

// Tells endpoints what happened to runs, in the transaction in which it happens. Nothing is written where no endpoint wants to know.

/** The most runs that are announced at once. */
const MOST_ANNOUNCED = 1_000;

/** The part of a run that is told. */
export type ToldRun = Pick<RunRow, "person_key" | "id" | "workspace_id" | "campaign_id">;

/** Tells that runs began, as soon as `began` says which of them. */
export const tellEntered = (
  tx: Tx,
  runs: (ToldRun & Pick<RunRow, "cancellation_key">)[],
  now: Date,
  began: Promise<Set<string>>,
): Promise<void> =>
  tell(
    tx,
    runs,
    (run) => ({
      type: "campaign.entered",
      at: now,
      data: run.cancellation_key === null ? {} : { cancellation_key: run.cancellation_key },
    }),
    began,
  );

/** Tells that runs reached the goal. */
export const tellGoals = (tx: Tx, runs: (ToldRun & { goal_at: Date })[]): Promise<void> =>
  tell(tx, runs, (run) => ({ type: "campaign.goal", at: run.goal_at, data: {} }));

/** A run that has ended. */
export type EndedRun = ToldRun & Pick<RunRow, "goal_at">;

/** Tells that runs have ended, how, and whether they had reached the goal. */
export const tellEnded = (
  tx: Tx,
  runs: (EndedRun & { status: RunStatus; reason: string | null })[],
  now: Date,
): Promise<void> =>
  tell(tx, runs, ({ status, reason, goal_at }) => ({
    type: "campaign.ended",
    at: now,
    data: { status, reason, converted: goal_at !== null },
  }));

async function tell<T extends ToldRun>(
  tx: Tx,
  runs: T[],
  what: (run: T) => { type: string; at: Date; data: Record<string, unknown> },
  only?: Promise<Set<string>>,
): Promise<void> {
  if (runs.length === 0) return;
  const offered = (run: T): Offered => {
    const { type, at, data } = what(run);
    const { person_key: personKey, id, workspace_id: workspaceId, campaign_id } = run;
    const entry = () => ({
      personKey,
      at,
      data: { campaign_id: encodeId("cmp", campaign_id), run_id: encodeId("run", id), ...data },
    });
    return { workspaceId, type, entry };
  };
  for (let from = 0; from < runs.length; from += MOST_ANNOUNCED) {
    const some = runs.slice(from, from + MOST_ANNOUNCED);
    const offers = new Map<Offered, string>();
    const offer = () => {
      for (const run of some) offers.set(offered(run), run.id);
      return [...offers.keys()];
    };
    const told = only && (() => only.then((ids) => (one: Offered) => ids.has(offers.get(one) ?? "")));
    await tx.announce(OFFERED, [...new Set(some.map((run) => run.workspace_id))], offer, told);
  }
}
