import { derivedId } from "../platform/ids.ts";

const MOST = 20_000;
const known = new Map<string, string>();

/**
 * The key of a person in every person-scoped table: a UUID from SHA-256(workspace id, person_id), so it is computed and
 * never looked up. Kept for the latest 20,000, since an application asks for the same people again and again.
 */
export function personKey(workspaceId: string, personId: string): string {
  const name = `${workspaceId}${personId}`;
  let key = known.get(name);
  if (key === undefined) {
    key = derivedId(workspaceId, personId);
    if (known.size >= MOST) known.clear();
    known.set(name, key);
  }
  return key;
}
