import { derivedId } from "../../platform/ids.ts";

/**
 * The key of a person in every person-scoped table: a UUID from SHA-256(workspace id, person_id), so it is computed and
 * never looked up. (A map of the latest 20,000 cost more than the 0.6 us that it saved, with more people than it held.)
 */
export const personKey = (workspaceId: string, personId: string): string => derivedId(workspaceId, personId);
