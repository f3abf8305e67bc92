import type { CampaignProgress } from "@tidings/contract/campaigns/campaigns";

/** What an activation or an archive left to the engine. */
export interface CampaignWork {
  /** Whether the engine ends the runs of an archived campaign. */
  ending: boolean;
  /** Whether the engine moves or ends runs of earlier graphs. */
  settling: boolean;
  /** How many runs there were when it began. */
  work_total: number | null;
  work_since: Date | null;
  /** How many are left. */
  work_left: number;
}

/** In a shorter time nothing can be said about the pace. */
const LEAST_MS = 2_000;

/** Returns how far the engine is; null where nothing is left. Runs that ended by themselves are done, too. */
export function progressIn(work: CampaignWork, now: Date): CampaignProgress | null {
  const { ending, settling, work_total, work_since, work_left: left } = work;
  if (!(ending || settling)) return null;
  const total = Math.max(work_total ?? 0, left);
  const done = total - left;
  const ms = work_since ? now.getTime() - work_since.getTime() : 0;
  return {
    kind: ending ? "ending" : "moving",
    total,
    done,
    seconds_left: ms < LEAST_MS || done === 0 ? null : Math.ceil((left * ms) / done / 1_000),
    started_at: work_since?.toISOString() ?? null,
  };
}
