import { findNamed, isPersonId, isShared, type Lookup, normalEmail } from "../../people/index.ts";
import { Problem } from "../../platform/http/index.ts";
import { encodeId } from "../../platform/ids.ts";
import type { Destination } from "../../platform/transfer/imports.ts";
import { lockAudiences } from "../store.ts";
import { announceOnList, mustBeList } from "./members.ts";
import { addMembers } from "./members-store.ts";

export const MOST_IMPORT_BYTES = 200 * 1024 * 1024;

interface Column {
  name: "person_id" | "email";
  at: number;
}

/** The destination of an import into a list. The first line names the columns, of which `person_id` or else `email` is read. */
export const listFor = (workspaceId: string, list: string): Destination<Column, Lookup> => ({
  scope: workspaceId,
  kind: "audience",
  target: encodeId("aud", list),
  columnsOf,
  read: (column, cells) => read(workspaceId, column, cells),
  async write(tx, lookups, now) {
    // A list that is removed meanwhile must not get members: nobody would see them and nothing would remove them.
    mustBeList((await lockAudiences(tx, workspaceId, [list], "key share"))[0]);
    const keys: string[] = [];
    const refused = new Map<number, string>();
    for (const [i, person] of (await findNamed(tx, lookups)).entries()) {
      if (!person) refused.set(i, "names a person that this workspace does not know");
      else if (isShared(person))
        refused.set(i, "has an address that several people have, and not exactly one verified");
      else keys.push(person.person_key);
    }
    const added = await addMembers(tx, workspaceId, { list, personKeys: keys, now });
    await announceOnList(tx, workspaceId, keys);
    return { added, refused };
  },
});

function columnsOf(names: string[]): Column {
  for (const name of ["person_id", "email"] as const) {
    const at = names.indexOf(name);
    if (at !== -1) return { name, at };
  }
  throw new Problem(
    "invalid_request",
    "The first line must name the columns: `person_id` or `email` must be one of them.",
  );
}

/** The person that a line names, or the reason why the line is refused. */
function read(workspaceId: string, { name, at }: Column, cells: string[]): Lookup | string {
  const text = cells[at] ?? "";
  if (name === "email") {
    const email = normalEmail(text);
    return email === undefined ? "has no email address in its column" : { workspaceId, email };
  }
  if (text.trim() === "") return "has no person_id";
  // A NUL would end the whole batch with an error.
  if (!isPersonId(text)) return "has a person_id that can't be one";
  return { workspaceId, id: text };
}
