import { type AuditEntry, AuditList, AuditQuery } from "@tidings/contract/audit";
import type { Static } from "typebox";
import type { Ground } from "../platform/ground.ts";
import { type App, badParameter, decodeCursor, page } from "../platform/http/index.ts";
import { encodeId } from "../platform/ids.ts";
import { type AuditRow, entriesOf } from "../platform/resources/audit-store.ts";
import { inListTurns } from "../platform/resources/interactive.ts";
import { parseInstant } from "../platform/time/clock.ts";
import { workspaceOf } from "./keys/authenticate.ts";
import { personKey } from "./tenant/person-key.ts";

/** GET /audit: who changed what. */
export function auditLog(app: App, ground: Ground): void {
  app.get(
    "/audit",
    {
      config: { needs: "admin" },
      schema: {
        summary: "List who changed what, the latest first",
        tags: ["workspace"],
        querystring: AuditQuery,
        response: { 200: AuditList },
      },
    },
    async (request) => {
      const { limit = 50, cursor, person_id, since, until, resource, ...query } = request.query;
      const before = decodeCursor(cursor, "uuid");
      const workspaceId = workspaceOf(request);
      if (person_id !== undefined && resource !== undefined)
        throw badParameter("person_id", "names the resource already: leave resource out");
      const filter = {
        ...query,
        resource: person_id === undefined ? resource : personKey(workspaceId, person_id),
        since: since === undefined ? undefined : parseInstant(since),
        until: until === undefined ? undefined : parseInstant(until),
      };
      const rows = await entriesOf(inListTurns(ground, workspaceId), workspaceId, filter, { before, limit: limit + 1 });
      return page(rows, limit, (row) => [row.id], shape);
    },
  );
}

const shape = (row: AuditRow): Static<typeof AuditEntry> => ({
  id: encodeId("chg", row.id),
  at: row.at.toISOString(),
  action: row.action,
  actor: { type: row.actor_type, id: row.actor_id, name: row.actor_name },
  resource: { type: row.resource_type, id: row.resource_id, name: row.resource_name },
  changes: row.changes,
  changes_left_out: row.left_out,
  request_id: row.request_id,
});
