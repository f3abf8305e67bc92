import { jsonbs, prepared, type Queries, sql, unquoted } from "../../platform/db/index.ts";
import type { PassageRow } from "./run.ts";

const iso = (date: Date | null): string | null => date?.toISOString() ?? null;

/** Writes passages by one statement. A run at a step has one row, which is written on arrival and on departure. */
export const writePassages = (tx: Queries, passages: PassageRow[]): Promise<number> =>
  tx.execute(
    prepared(
      "campaigns.writePassages",
      sql`
      insert into campaign_passages as p (person_key, run_id, step_id, workspace_id, campaign_id, entered_at, left_at, state,
        way, reason, delivery_id, deliveries, detail)
      select t.person_key, t.run_id, t.step_id, t.workspace_id, t.campaign_id, t.entered_at, t.left_at, t.state, t.way, t.reason,
        t.delivery_id, t.deliveries::uuid[], t.detail from unnest(
        ${unquoted(passages.map((one) => one.person_key))}::uuid[], ${unquoted(passages.map((one) => one.run_id))}::uuid[],
        ${unquoted(passages.map((one) => one.step_id))}::text[], ${unquoted(passages.map((one) => one.workspace_id))}::uuid[],
        ${unquoted(passages.map((one) => one.campaign_id))}::uuid[],
        ${unquoted(passages.map((one) => iso(one.entered_at)))}::timestamptz[],
        ${unquoted(passages.map((one) => iso(one.left_at)))}::timestamptz[],
        ${unquoted(passages.map((one) => one.state))}::text[], ${passages.map((one) => one.way)}::text[],
        ${passages.map((one) => one.reason)}::text[], ${unquoted(passages.map((one) => one.delivery_id))}::uuid[],
        ${passages.map((one) => one.deliveries && `{${one.deliveries.join(",")}}`)}::text[],
        ${jsonbs(passages.map((one) => one.detail && JSON.stringify(one.detail)))}::jsonb[])
        as t (person_key, run_id, step_id, workspace_id, campaign_id, entered_at, left_at, state, way, reason, delivery_id,
          deliveries, detail)
      on conflict (person_key, run_id, step_id) do update
        set left_at = excluded.left_at, state = excluded.state, way = excluded.way, reason = excluded.reason,
          delivery_id = coalesce(excluded.delivery_id, p.delivery_id),
          deliveries = coalesce(excluded.deliveries, p.deliveries), detail = coalesce(p.detail || excluded.detail, excluded.detail, p.detail)`,
    ),
  );
