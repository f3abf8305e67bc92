import type { Breakdown, BreakdownRow } from "@tidings/contract/facts/analytics";
import { useQuery } from "@tanstack/react-query";
import type { Static } from "typebox";
import type { Call } from "../platform/call/call.ts";
import { useWorkspace } from "../platform/call/workspace.ts";

type Row = Static<typeof BreakdownRow>;
/** The most sources of one call, and the most rows of its answer. */
const [MOST, LONGEST] = [100, 200];

interface PendingCall {
  ids: Set<string>;
  answer: Promise<Map<string, Row>>;
}
/** The call that the next microtask makes, by workspace and time. */
const waiting = new Map<string, PendingCall>();

/** Asks for one source together with all others that are asked for at this moment. */
function ask(workspace: string, call: Call, id: string, from: string | undefined): Promise<Map<string, Row>> {
  const key = `${workspace} ${from}`;
  const there = waiting.get(key);
  if (there && there.ids.size < MOST) {
    there.ids.add(id);
    return there.answer;
  }
  const ids = new Set([id]);
  const answer = Promise.resolve().then(async () => {
    if (waiting.get(key)?.ids === ids) waiting.delete(key);
    const query = { by: "source_id", source_id: [...ids].join(), limit: LONGEST, ...(from && { from }) };
    const { data } = (await call<Breakdown>("GET", "/analytics/metrics", { query })).body;
    return new Map(data.map((row) => [row.source_id ?? "", row]));
  });
  waiting.set(key, { ids, answer });
  return answer;
}

/**
 * Reads what became of the deliveries of one source, such as a broadcast; null where it has none. The rows of a list that are drawn at the same time
 * share one call, whatever their order and their page.
 */
export function useSourceNumbers(id: string, from?: string): Row | null | undefined {
  const { id: workspace, call } = useWorkspace();
  return useQuery({
    queryKey: [workspace, "/analytics/metrics", { source_id: id, from }],
    queryFn: async () => (await ask(workspace, call, id, from)).get(id) ?? null,
  }).data;
}
