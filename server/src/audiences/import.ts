import { findPeople, type Lookup, normalEmail } from "../people/index.ts";
import { BrokenCsv, type CsvRecord, csvRecords, plainCell } from "../platform/csv.ts";
import type { Ground } from "../platform/ground.ts";
import { Problem } from "../platform/http/index.ts";
import { addMembers } from "./members-store.ts";

export const MOST_IMPORT_BYTES = 200 * 1024 * 1024;
/** Lines of one transaction. What is committed stays when a later part of the file is broken; the same file can come again. */
const BATCH = 1_000;
const MOST_BAD = 100;

export interface Imported {
  imported: number;
  known: number;
  refused: number;
  bad: { line: number; reason: string }[];
}

interface Line {
  line: number;
  lookup: Lookup;
}

/**
 * Puts the people of a CSV file on a list, a batch at a time, so that a file of any length takes the memory of one batch. The
 * first line names the columns, of which `person_id` or else `email` is read. Lines that can't be taken are counted and told.
 * @throws Problem invalid_request where the first line names neither, or is no UTF-8
 */
export async function importMembers(
  ground: Ground,
  workspaceId: string,
  list: string,
  bytes: AsyncIterable<Uint8Array>,
): Promise<Imported> {
  const result: Imported = { imported: 0, known: 0, refused: 0, bad: [] };
  const refuse = (line: number, reason: string) => {
    result.refused++;
    if (result.bad.length < MOST_BAD) result.bad.push({ line, reason });
  };
  let batch: Line[] = [];
  const flush = async () => {
    const lines = batch;
    batch = [];
    const people = await findPeople(
      ground.workDb,
      lines.map(({ lookup }) => lookup),
    );
    const keys: string[] = [];
    for (const [i, person] of people.entries()) {
      if (person) keys.push(person.person_key);
      else refuse((lines[i] as Line).line, "names a person that this workspace does not know");
    }
    const added = await addMembers(ground.workDb, workspaceId, list, keys, ground.clock.now());
    result.imported += added;
    result.known += keys.length - added;
  };
  let column: Column | undefined;
  try {
    for await (const record of csvRecords(bytes)) {
      if (!column) {
        column = columnOf(record);
        continue;
      }
      const lookup = read(workspaceId, column, record.fields);
      if (typeof lookup === "string") refuse(record.line, lookup);
      else if (batch.push({ line: record.line, lookup }) === BATCH) await flush();
    }
  } catch (error) {
    if (!(error instanceof BrokenCsv)) throw error;
    if (!column)
      throw new Problem("invalid_request", `Line ${error.line} ${error.message}. Save the file as CSV in UTF-8.`);
    refuse(error.line, `${error.message}: nothing after it was read. The file must be CSV in UTF-8.`);
  }
  if (!column) throw noColumn();
  if (batch.length > 0) await flush();
  return result;
}

interface Column {
  name: "person_id" | "email";
  at: number;
}

function columnOf({ fields }: CsvRecord): Column {
  const names = fields.map((name) => name.trim().toLowerCase());
  for (const name of ["person_id", "email"] as const) {
    const at = names.indexOf(name);
    if (at !== -1) return { name, at };
  }
  throw noColumn();
}

const noColumn = (): Problem =>
  new Problem("invalid_request", "The first line must name the columns: `person_id` or `email` must be one of them.");

/** Whom a line names, or what is wrong with it. */
function read(workspaceId: string, { name, at }: Column, fields: string[]): Lookup | string {
  const text = plainCell(fields[at] ?? "");
  if (name === "email") {
    const email = normalEmail(text);
    return email === undefined ? "has no email address in its column" : { workspaceId, email };
  }
  if (text.trim() === "") return "has no person_id";
  // The same that contract/primitives.ts takes; a NUL would end the whole batch with an error.
  if (text.length > 256 || /[\p{Cc}\p{Cs}]/u.test(text)) return "has a person_id that can't be one";
  return { workspaceId, id: text };
}
