import type { PassageRow, RunRow } from "../../../src/campaigns/run/run.ts";
import type { World } from "../../../src/campaigns/simulate/world/world.ts";
import { type Queries, sql } from "../../../src/platform/db/index.ts";
import type { Rehearsed } from "../../../src/sendings/index.ts";

// The engine's runs and those of a simulation, told in one form.

const text = (date: Date | null): string | null => date?.toISOString() ?? null;

/** Returns a run as both sides tell it, with its passages and messages in the order of their steps. */
function told(row: RunRow, passages: PassageRow[], messages: Map<string, { failed: string | null; body: unknown }>) {
  return {
    person: row.person_key,
    ...{ status: row.status, reason: row.reason, step: row.step_id, data: row.data, outputs: row.outputs },
    ...{ entered: text(row.entered_at), due: text(row.due_at), goal: text(row.goal_at), ended: text(row.ended_at) },
    passages: passages
      .map(({ step_id, entered_at, left_at, state, way, reason, detail }) => ({
        step: step_id,
        ...{ entered: text(entered_at), left: text(left_at), state, way, reason },
        detail: withoutIds(detail),
        message: messages.get(step_id),
      }))
      .sort((a, b) => (a.step < b.step ? -1 : 1)),
  };
}

/** jsonb has an order of its own for the names in `data`. */
const orderOf = ({ person, entered, data, ended }: ReturnType<typeof told>): string =>
  JSON.stringify([person, entered, Object.entries(data).sort(), ended]);

/** The simulation's runs and deliveries have ids of their own. */
const withoutIds = (detail: PassageRow["detail"]): unknown =>
  JSON.parse(JSON.stringify(detail), (name, value) =>
    ["run_id", "delivery_id"].includes(name) || /^run_/.test(String(value)) ? "an id" : value,
  );

const sorted = (runs: ReturnType<typeof told>[]) => runs.sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));

/** The text that a reader sees; undefined where nothing was sent. */
const bodyOf = (content: unknown): unknown => {
  const { body, message: push, content: inner } = (content ?? {}) as Record<string, unknown>;
  return (inner as { body?: unknown } | undefined)?.body ?? body ?? push;
};

/** Returns the runs of a campaign as the service has them. */
export async function toldByService(q: Queries, campaignId: string) {
  const runs = await q.query<RunRow>(sql`select * from campaign_runs where campaign_id = ${campaignId}`);
  const passages = await q.query<
    PassageRow & { d_reason: string | null; d_status: string | null; content: unknown }
  >(sql`
    select p.*, d.reason as d_reason, d.status as d_status, d.content from campaign_passages p
    left join deliveries d on d.person_key = p.person_key and d.id = p.delivery_id
    where p.campaign_id = ${campaignId}`);
  return sorted(
    runs.map((run) => {
      const own = passages.filter(({ run_id }) => run_id === run.id);
      const messages = own.flatMap(({ step_id, d_status, d_reason, content }) =>
        d_status === null
          ? []
          : [[step_id, { failed: d_reason, body: d_reason === null ? bodyOf(content) : undefined }] as const],
      );
      return told(run, own, new Map(messages));
    }),
  );
}

/** Returns the runs of a simulation, with the messages by run and step. */
export function toldBySimulation(world: World, messages: Map<string, Rehearsed>) {
  return sorted(
    [...world.runs.values()].map(({ row, passages }) => {
      const sent = [...passages.keys()].flatMap((step) => {
        const one = messages.get(`${row.id} ${step}`);
        if (!one || one.heldOut) return [];
        const failed = one.failed ?? null;
        return [[step, { failed, body: failed === null ? bodyOf(one.content) : undefined }] as const];
      });
      return told(row, [...passages.values()], new Map(sent));
    }),
  );
}
