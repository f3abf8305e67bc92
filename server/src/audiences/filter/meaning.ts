import { createHash } from "node:crypto";
import type { Filter } from "@tidings/contract/audience/audiences";
import type { Queries } from "../../platform/db/index.ts";
import { topicsAmong } from "../store.ts";
import { conditionsOf } from "./conditions.ts";
import { loadFilterContext, topicsIn } from "./context.ts";

/** What a filter means now, with the audiences and topics that it names. */
export interface Meaning {
  /** The conditions of the filter and of all audiences that it names. */
  conditions: Filter[];
  /** Another text whenever the filter of such an audience or the default of such a topic is another. */
  fingerprint: string;
}

/** Reads what a filter means now, by at most two statements. @throws Problem invalid_request for an audience that is gone */
export async function meaningOf(
  q: Queries,
  workspaceId: string,
  { filter, now }: { filter: Filter; now: Date },
): Promise<Meaning> {
  const context = await loadFilterContext(q, workspaceId, { filter, now });
  const named = [...context.audiences.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  const conditions = [filter, ...named.flatMap((one) => one.filter ?? [])].flatMap((one) => conditionsOf(one));
  const topics = topicsIn(conditions);
  const states = topics.length === 0 ? [] : await topicsAmong(q, workspaceId, topics);
  const parts = [
    filter,
    named.map(({ id, filter: own }) => [id, own]),
    states.map(({ id, on }) => `${id} ${on}`).sort(),
  ];
  return { conditions, fingerprint: createHash("sha256").update(JSON.stringify(parts)).digest("base64url") };
}
