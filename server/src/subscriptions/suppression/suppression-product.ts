import {
  Suppression,
  SuppressionAddress,
  SuppressionInput,
  SuppressionList,
  SuppressionQuery,
} from "@tidings/contract/audience/subscriptions";
import { Type } from "typebox";
import type { Ground } from "../../platform/ground.ts";
import { type App, decodeCursor, Problem, page } from "../../platform/http/index.ts";
import { type Authored, listed, TAGGED, tagOf } from "../../platform/resources/authored.ts";
import { created, removing } from "../../platform/resources/changes.ts";
import { inListTurns } from "../../platform/resources/interactive.ts";
import { creating } from "../../platform/resources/idempotency.ts";
import { sendFile } from "../../platform/transfer/export-file.ts";
import { importRoute } from "../../platform/transfer/import-routes.ts";
import { originOf, type Workspace } from "../../workspaces/index.ts";
import { exportLines } from "./export.ts";
import { MOST_IMPORT_BYTES, suppressionsFor } from "./import.ts";
import { addressHash, normalAddress, suppress, suppressed, type Target, unsuppress } from "./suppression.ts";
import { listSuppressions, lockSuppression, type SuppressionRow } from "./suppression-store.ts";

const tags = ["subscriptions"];

/** /suppressions: list, add, take off, import and export. */
export function suppressionList(app: App, ground: Ground): void {
  readRoute(app, ground);
  addressRoutes(app, ground);
  fileRoutes(app, ground);
}

function readRoute(app: App, ground: Ground): void {
  app.get(
    "/suppressions",
    {
      schema: {
        summary: "List suppressed addresses, newest first",
        tags,
        querystring: SuppressionQuery,
        response: { 200: SuppressionList },
      },
    },
    async (request) => {
      const { limit = 50, cursor, q, ...filter } = request.query;
      const like = q ? `${q.toLowerCase().replace(/[\\%_]/g, "\\$&")}%` : undefined;
      const before = decodeCursor(cursor, "instant", "uuid");
      const workspaceId = request.caller.workspace.id;
      const rows = await listSuppressions(
        inListTurns(ground, workspaceId),
        workspaceId,
        { ...filter, like },
        { before, limit: limit + 1 },
      );
      return page(
        rows,
        limit,
        (row) => [row.created_at.toISOString(), row.hash],
        (row) => listed(entry, row, shape(row)),
      );
    },
  );
}

function addressRoutes(app: App, { db, clock }: Ground): void {
  app.post(
    "/suppressions",
    {
      config: { needs: "ingest" },
      schema: {
        summary: "Add an address to the suppression list",
        ...TAGGED,
        tags,
        body: SuppressionInput,
        response: { 201: Suppression },
      },
    },
    (request, reply) => {
      const { workspace } = request.caller;
      const { reason = "manual" } = request.body;
      const target = targetOf(workspace, request.body, "/address");
      const now = clock.now();
      const call = { request, reply, scope: workspace.id, now, tagOf: (body: object) => tagOf(entry, tagged(body)) };
      return creating(db, call, async (tx) => {
        const added = await suppress(tx, [{ ...target, reason, source: "api" }], now);
        const row = (await suppressed(tx, [target]))[0] as SuppressionRow;
        if (added > 0) await created(tx, entry, originOf(request), { row, now });
        return shape(row);
      });
    },
  );

  app.delete(
    "/suppressions",
    {
      config: { needs: "ingest" },
      schema: {
        summary: "Remove an address from the suppression list",
        ...TAGGED,
        tags,
        querystring: SuppressionAddress,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const target = targetOf(request.caller.workspace, request.query, "address");
      const now = clock.now();
      const change = { origin: originOf(request), id: `${target.channel} ${addressHash(target)}`, now };
      await db.transaction((tx) => removing(tx, entry, change, () => unsuppress(tx, [target], now)));
      return reply.code(204).send(null);
    },
  );
}

function fileRoutes(app: App, ground: Ground): void {
  app.get(
    "/suppressions/export",
    { schema: { summary: "Export the suppression list as CSV", tags } },
    (request, reply) => {
      const { id } = request.caller.workspace;
      return sendFile(ground, reply, id, { name: "suppressions.csv", pages: (q) => exportLines(q, id) });
    },
  );

  importRoute(app, ground, {
    path: "/suppressions/import",
    summary: "Import a suppression list from CSV",
    tag: "subscriptions",
    config: { needs: "ingest" },
    most: MOST_IMPORT_BYTES,
    originOf,
    destinationOf: async ({ caller }) => suppressionsFor(caller.workspace),
  });
}

/** What counts in the tag of an entry. */
const tagged = (body: object) => {
  const { channel, reason, source, created_at } = body as ReturnType<typeof shape>;
  return { channel, reason, source, since: created_at };
};

/**
 * As the log of changes and If-Match know an entry. It has only the salted hash of the address, so that erasing its owner needs no change
 * of the log. An entry that was removed and came again is another one.
 */
const entry: Authored<SuppressionRow> = {
  noun: "suppression",
  locked: lockSuppression,
  shape: (row) => ({ id: row.hash, ...tagged(shape(row)) }),
};

/** @throws Problem recipient_invalid */
function targetOf(workspace: Workspace, { channel, address: text }: Omit<Target, "workspaceId">, name: string): Target {
  const address = normalAddress(channel, text, workspace.sender_defaults.country);
  if (address !== undefined) return { workspaceId: workspace.id, channel, address };
  const message = channel === "email" ? "is not an email address" : "is not a phone number with its country code";
  const place = name.startsWith("/") ? { pointer: name } : { parameter: name };
  throw new Problem("recipient_invalid", `${name} ${message}.`, { errors: [{ ...place, message }] });
}

const shape = (row: SuppressionRow) => ({
  channel: row.channel,
  address: row.address,
  reason: row.reason,
  source: row.source,
  created_at: row.created_at.toISOString(),
});
