import { given, join, preparedOnOne, type Queries, rowsToCheck, sql, unquoted } from "../../platform/db/index.ts";
import type { PassageRow } from "./run.ts";

/** Writes passages by one statement. A run at a step has one row, which is written on arrival and on departure. */
export const writePassages = (tx: Queries, passages: PassageRow[]): Promise<number> =>
  tx.execute(
    preparedOnOne(
      tx,
      "campaigns.writePassages",
      sql`
      insert into campaign_passages as p (person_key, run_id, step_id, workspace_id, campaign_id, entered_at, left_at, state,
        way, reason, delivery_id, detail, deliveries)
      ${rowsToCheck(
        tx,
        passages,
        {
          person_key: given.uuid((one) => one.person_key),
          run_id: given.uuid((one) => one.run_id),
          step_id: given.word((one) => one.step_id),
          workspace_id: given.uuid((one) => one.workspace_id),
          campaign_id: given.uuid((one) => one.campaign_id),
          entered_at: given.time((one) => one.entered_at),
          left_at: given.time((one) => one.left_at),
          state: given.word((one) => one.state),
          way: given.text((one) => one.way),
          reason: given.text((one) => one.reason),
          delivery_id: given.uuid((one) => one.delivery_id),
          detail: given.json((one) => one.detail && JSON.stringify(one.detail)),
          deliveries: given.text((one) => one.deliveries && unquoted(one.deliveries)),
        },
        ({ deliveries, ...t }) => sql`${join(Object.values(t))}, ${deliveries}::uuid[]`,
      )}
      on conflict (person_key, run_id, step_id) do update
        set left_at = excluded.left_at, state = excluded.state, way = excluded.way, reason = excluded.reason,
          delivery_id = coalesce(excluded.delivery_id, p.delivery_id),
          deliveries = coalesce(excluded.deliveries, p.deliveries), detail = coalesce(p.detail || excluded.detail, excluded.detail, p.detail)`,
    ),
  );
