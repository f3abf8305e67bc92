import type { Preflight } from "@tidings/contract/broadcasts";
import type { Queries } from "../platform/db/index.ts";
import { membersFrom } from "./audience.ts";
import { exclusions } from "./recipients.ts";
import type { BroadcastRow } from "./store.ts";

const PAGE = 5_000;
const SAMPLES = 5;

/**
 * Who would get a broadcast if it were sent now, and who not and why, by the same rule as the fan-out. Exact: it reads the
 * whole audience, some 100,000 people a second.
 */
export async function preflight(q: Queries, row: BroadcastRow, now: Date): Promise<Preflight> {
  const answer: Preflight = { audience: 0, will_receive: 0, excluded: {}, samples: { will_receive: [] } };
  for (let cursor: string | null = null; ; ) {
    const members = await membersFrom(q, row, cursor, PAGE, now);
    const reasons = await exclusions(q, row, members);
    for (const [i, person] of members.entries()) {
      answer.audience++;
      const reason = reasons[i];
      if (reason === undefined) answer.will_receive++;
      else answer.excluded[reason] = (answer.excluded[reason] ?? 0) + 1;
      const name = reason ?? "will_receive";
      const samples = answer.samples[name] ?? [];
      if (samples.length < SAMPLES) answer.samples[name] = [...samples, person.person_id];
    }
    const last = members.at(-1);
    if (!last || members.length < PAGE) return answer;
    cursor = last.person_key;
  }
}
