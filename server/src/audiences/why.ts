import type { Filter } from "@tidings/contract/audience/audiences";
import { findPeople } from "../people/index.ts";
import type { Queries } from "../platform/db/index.ts";
import { Problem } from "../platform/http/index.ts";
import { encodeId } from "../platform/ids.ts";
import type { NamesOf } from "../workspaces/index.ts";
import { conditionsWithin, type FilterContext, loadFilterContext } from "./filter/context.ts";
import { evaluate } from "./filter/evaluate.ts";
import { factsOf } from "./filter/facts.ts";
import { because } from "./filter/wording.ts";
import { isAmong } from "./members/members-store.ts";
import type { AudienceRow } from "./store.ts";

/** Explains why a person is in an audience or not, with the result of each condition. @throws Problem person_not_found */
export async function why(
  q: Queries,
  workspaceId: string,
  { audience, personId, namesOf, now }: { audience: AudienceRow; personId: string; namesOf: NamesOf; now: Date },
) {
  const [person] = await findPeople(q, [{ workspaceId, id: personId }]);
  if (!person) throw new Problem("person_not_found", "This workspace knows no person with this person_id.");
  const filter: Filter = audience.filter ?? { audience: encodeId("aud", audience.id) };
  const context = await loadFilterContext(q, workspaceId, { filter, now });
  const [facts] = await factsOf(q, [person], filter, context);
  if (!facts) throw new Error("no facts of the person");
  for (const [id, name] of await namesOf(q, workspaceId, sourcesIn(filter, context))) facts.names.set(id, name);
  const verdict = evaluate(filter, facts, context);
  const among = await isAmong(q, filter, context, person.person_key);
  return { person_id: personId, in: among, because: because(verdict), verdict };
}

/** Returns the ids of the sources that a filter and its audiences name. */
function sourcesIn(filter: Filter, context: FilterContext): Set<string> {
  return new Set(conditionsWithin(filter, context).flatMap((one) => ("source_id" in one ? (one.source_id ?? []) : [])));
}
