import { derivedId } from "../../platform/ids.ts";

/**
 * Returns the key of a person in every person-scoped table: a UUID from SHA-256(workspace id, person_id), so it is computed and
 * never looked up. (A cache of the latest 20,000 cost more than the 0.6 us that it saved, once there were more people.)
 */
export const personKey = (workspaceId: string, personId: string): string => derivedId(workspaceId, personId);

/** The action and the resource of an entry in the log of changes. It has only the key, a hash, so that it says nothing of an erased person. */
export const personEntry = (done: "erased" | "merged", whom: { workspaceId: string; personId: string }) => ({
  action: `person.${done}`,
  resource: { type: "person", id: personKey(whom.workspaceId, whom.personId), name: "" },
});
