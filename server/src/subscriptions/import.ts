import { type SuppressedChannel, suppressionReasons } from "@tidings/contract/subscriptions";
import { parseInstant } from "../platform/clock.ts";
import { BrokenCsv, type CsvRecord, csvRecords, plainCell } from "../platform/csv.ts";
import type { Ground } from "../platform/ground.ts";
import { Problem } from "../platform/http/index.ts";
import type { Workspace } from "../workspaces/index.ts";
import { type NewSuppression, normalAddress, suppress } from "./suppression.ts";

export const MOST_IMPORT_BYTES = 64 * 1024 * 1024;
/** Rows of one transaction. What is committed stays when a later part of the file is broken; the same file can come again. */
const BATCH = 1_000;
const MOST_ERRORS = 100;
const REASONS: readonly string[] = suppressionReasons;

export interface Imported {
  added: number;
  known: number;
  refused: number;
  errors: { line: number; message: string }[];
}

/** What stands in which column: `address` with `channel` (email unless given), or `email`, or `phone`. */
type Columns = Partial<Record<"address" | "channel" | "email" | "phone" | "reason" | "created_at", number>>;

/**
 * Takes a CSV file into the suppression list as it arrives. Lines that can't be taken are counted and told, and the others
 * are taken. @throws Problem invalid_request where the first line names no column of addresses
 */
export async function importList(
  ground: Ground,
  workspace: Workspace,
  bytes: AsyncIterable<Uint8Array>,
): Promise<Imported> {
  const result: Imported = { added: 0, known: 0, refused: 0, errors: [] };
  const refuse = (line: number, message: string) => {
    result.refused++;
    if (result.errors.length < MOST_ERRORS) result.errors.push({ line, message });
  };
  let batch: NewSuppression[] = [];
  const flush = async () => {
    const rows = batch;
    batch = [];
    const added = await ground.workDb.transaction((tx) => suppress(tx, rows, ground.clock.now()));
    result.added += added;
    result.known += rows.length - added;
  };
  let columns: Columns | undefined;
  try {
    for await (const record of csvRecords(bytes)) {
      if (!columns) {
        columns = columnsOf(record);
        continue;
      }
      const entry = read(workspace, columns, record.fields.map(plainCell), ground.clock.now());
      if (typeof entry === "string") refuse(record.line, entry);
      else if (batch.push(entry) === BATCH) await flush();
    }
  } catch (error) {
    if (!(error instanceof BrokenCsv)) throw error;
    refuse(error.line, `${error.message}: nothing after it was read`);
  }
  if (batch.length > 0) await flush();
  return result;
}

function columnsOf({ fields }: CsvRecord): Columns {
  const names = fields.map((name) => name.trim().toLowerCase());
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
