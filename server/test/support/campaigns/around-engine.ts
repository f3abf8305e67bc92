import { answersTo, DAY_TIMES, type RandomAnswer, ZONES } from "./random-campaigns.ts";
import type { TestService } from "../service.ts";
import { endOf } from "../../../src/campaigns/calls/work.ts";
import { type CallRow, settleCall } from "../../../src/campaigns/calls/call-store.ts";
import { outcomeOf } from "../../../src/campaigns/rules/calls.ts";
import { occurrencesBetween } from "../../../src/campaigns/rules/occurrences.ts";
import { sql } from "../../../src/platform/db/index.ts";
import { newId } from "../../../src/platform/ids.ts";

// What surrounds the engine in the test that compares it with a simulation: the receivers of calls, and the days of the calendar.

/** How long people enter on days. */
export const DAYS_MS = 3 * 86_400_000;

/** Returns the times at which somebody may be due on a day, the earliest first. */
export function dayTimes(start: Date, workspaceZone: string): number[] {
  const days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
  const span = { from: start, until: new Date(start.getTime() + DAYS_MS) };
  const times = DAY_TIMES.flatMap((at) =>
    occurrencesBetween(
      { type: "recurring", days: [...days], at, audience_id: "" },
      { zones: ["", ...ZONES], workspaceZone },
      span,
    ).map(({ dueAt }) => dueAt.getTime()),
  );
  return [...new Set(times)].sort((a, b) => a - b);
}

/** The attempts of the calls of webhook steps in the service. Nobody is called: each attempt is answered as the case says. */
export class CallsInService {
  readonly #ground: TestService["service"]["ground"];
  readonly #made = new Map<string, { attempts: number; at: number }>();

  constructor({ service }: TestService) {
    this.#ground = service.ground;
  }

  async #pending(): Promise<CallRow[]> {
    const calls = await this.#ground.db.query<CallRow>(
      sql`select * from campaign_calls where state = 'pending' order by run_id`,
    );
    const now = this.#ground.clock.now().getTime();
    for (const { run_id, step_id } of calls)
      if (!this.#made.has(run_id + step_id)) this.#made.set(run_id + step_id, { attempts: 0, at: now });
    return calls;
  }

  #of = ({ run_id, step_id }: CallRow) => this.#made.get(run_id + step_id) as { attempts: number; at: number };

  async next(): Promise<number> {
    return Math.min(Infinity, ...(await this.#pending()).map((call) => this.#of(call).at));
  }

  async make(): Promise<void> {
    const now = this.#ground.clock.now();
    for (const call of await this.#pending()) {
      const made = this.#of(call);
      if (made.at > now.getTime()) continue;
      const answers = answersTo(call.step_id);
      const { status, body, retryAfter } = answers[made.attempts] ?? (answers.at(-1) as RandomAnswer);
      const headers = { "content-type": "application/json", "retry-after": retryAfter?.toString() };
      const outcome = outcomeOf({ status, failure: null, headers }, ++made.attempts, 0.5, now);
      if (outcome.kind === "retry") {
        made.at = now.getTime() + outcome.waitMs;
        continue;
      }
      const leased = { ...call, lease_id: newId() };
      await this.#ground.db.execute(sql`
        update campaign_calls set lease_id = ${leased.lease_id}, attempts = ${made.attempts - 1}
        where run_id = ${call.run_id} and step_id = ${call.step_id}`);
      const text = Buffer.from(body === undefined ? "" : JSON.stringify(body));
      const received = { status, headers, body: text, error: null, scrub: (one: string) => one };
      await settleCall(this.#ground.db, leased, endOf(outcome.kind, received), now);
    }
  }
}
