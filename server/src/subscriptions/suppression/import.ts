import { type SuppressedChannel, suppressionReasons } from "@tidings/contract/audience/subscriptions";
import { Problem } from "../../platform/http/index.ts";
import { parseInstant } from "../../platform/time/clock.ts";
import type { Destination } from "../../platform/transfer/imports.ts";
import type { Workspace } from "../../workspaces/index.ts";
import { type NewSuppression, normalAddress, suppress } from "./suppression.ts";

export const MOST_IMPORT_BYTES = 64 * 1024 * 1024;
const REASONS: readonly string[] = suppressionReasons;

/** What stands in which column: `address` with `channel` (email unless given), or `email`, or `phone`. */
type Columns = Partial<Record<"address" | "channel" | "email" | "phone" | "reason" | "created_at", number>>;

/** The suppression list, for the addresses of a CSV file. */
export const suppressionsFor = (workspace: Workspace): Destination<Columns, NewSuppression> => ({
  scope: workspace.id,
  kind: "suppressions",
  target: null,
  columnsOf,
  read: (columns, cells, now) => read(workspace, columns, cells, now),
  write: async (tx, rows, now) => ({ added: await suppress(tx, rows, now), refused: new Map() }),
});

/** @throws Problem invalid_request where the first line names no column of addresses */
function columnsOf(names: string[]): Columns {
  const columns: Columns = {};
  for (const name of ["address", "channel", "email", "phone", "reason", "created_at"] as const) {
    const at = names.indexOf(name);
    if (at !== -1) columns[name] = at;
  }
  if ((columns.address ?? columns.email ?? columns.phone) !== undefined) return columns;
  throw new Problem(
    "invalid_request",
    "The first line must name the columns: `address` (and `channel`), or `email`, or `phone`; `reason` and `created_at` are optional.",
  );
}

/** One entry, or what is wrong with the line. */
function read(workspace: Workspace, columns: Columns, fields: string[], now: Date): NewSuppression | string {
  const cell = (name: keyof Columns): string =>
    columns[name] === undefined ? "" : (fields[columns[name]] ?? "").trim();
  const channel = channelOf(columns, cell("channel").toLowerCase());
  if (!channel) return "channel must be email or sms";
  const text = cell(columns.address !== undefined ? "address" : channel === "email" ? "email" : "phone");
  if (text === "") return "has no address";
  const address = normalAddress(channel, text, workspace.sender_defaults.country);
  if (address === undefined) return channel === "email" ? "is not an email address" : "is not a phone number";
  const reason = cell("reason").toLowerCase() || "manual";
  if (!REASONS.includes(reason)) return `reason must be one of ${REASONS.join(", ")}`;
  const at = cell("created_at");
  const createdAt = at === "" ? now : parseInstant(at);
  if (!createdAt || createdAt > now) return "created_at must be an ISO 8601 time that has passed";
  return {
    workspaceId: workspace.id,
    channel,
    address,
    reason: reason as NewSuppression["reason"],
    source: "import",
    createdAt,
  };
}

function channelOf(columns: Columns, text: string): SuppressedChannel | undefined {
  if (columns.address === undefined) return columns.email === undefined ? "sms" : "email";
  if (text === "") return "email";
  return text === "email" || text === "sms" ? text : undefined;
}
