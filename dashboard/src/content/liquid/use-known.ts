import type { CatalogAttributeList, CatalogEventDetail, CatalogField } from "@tidings/contract/facts/catalog";
import { useQueries, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Static } from "typebox";
import type { Call, Query } from "../../platform/call/call.ts";
import { isRefusal } from "../../platform/call/refusal.ts";
import { useWorkspace } from "../../platform/call/workspace.ts";
import { type Known, type Names, UNKNOWN } from "./known.ts";
import type { LiquidScope } from "./scope.ts";

type Attributes = Static<typeof CatalogAttributeList>;
type Event = Static<typeof CatalogEventDetail>;

/** A new name appears within seconds, but nobody waits for it: all fields of a page share one reading. */
const STALE_MS = 60_000;
const PAGE = 200;

/** Returns what a text can name in this scope, by the catalogs. */
export function useKnown({ trigger, steps, batch = false }: LiquidScope): Known {
  const { id, call } = useWorkspace();
  const person = useQuery({
    queryKey: [id, "/catalog/attributes", "all"],
    queryFn: ({ signal }) => attributesOf(call, signal),
    staleTime: STALE_MS,
  });
  const events = [...new Set([trigger?.event, ...(steps ?? []).map(({ event }) => event)])].filter(
    (name) => name !== undefined,
  );
  const read = useQueries({
    queries: events.map((name) => ({
      queryKey: [id, `/catalog/events/${name}`, "names"],
      queryFn: ({ signal }: { signal: AbortSignal }) => eventOf(call, name, signal),
      staleTime: STALE_MS,
    })),
    combine: (answers) => answers.map(({ data }) => data),
  });
  const [scope, named] = [JSON.stringify([trigger, steps, batch]), JSON.stringify(read)];
  // biome-ignore lint/correctness/useExhaustiveDependencies: callers write their scope anew each time
  return useMemo(() => {
    const of = (event: string | undefined): Names => (event && read[events.indexOf(event)]) || UNKNOWN;
    const fields = trigger?.fields?.map((name) => ({ name }));
    return {
      person: person.data ?? UNKNOWN,
      trigger: trigger && (fields ? { names: fields, all: false } : of(trigger.event)),
      steps: (steps ?? []).map((step) => ({ ...step, event: step.event ? of(step.event) : undefined })),
      batch,
    };
  }, [person.data, scope, named]);
}

const namesOf = (fields: readonly CatalogField[]) =>
  fields.map(({ name, types, people }) => ({ name, types, people })).sort((a, b) => b.people - a.people);

async function attributesOf(call: Call, signal: AbortSignal): Promise<Names> {
  const data: CatalogField[] = [];
  let cursor: string | null = null;
  do {
    const query: Query = { limit: PAGE, ...(cursor !== null && { cursor }) };
    const page: Attributes = (await call<Attributes>("GET", "/catalog/attributes", { query, signal })).body;
    data.push(...page.data);
    cursor = page.next_cursor;
    // A full catalog has no room for new names.
    if (page.full) return { names: namesOf(data), all: false };
  } while (cursor !== null);
  // Where there are no people yet, any name may be right.
  return { names: namesOf(data), all: data.length > 0 };
}

async function eventOf(call: Call, name: string, signal: AbortSignal): Promise<Names> {
  try {
    const { body } = await call<Event>("GET", `/catalog/events/${encodeURIComponent(name)}`, { signal });
    return { names: namesOf(body.properties), all: !body.full };
  } catch (error) {
    // Nobody has reported it yet: its first call may carry anything.
    if (isRefusal(error, "not_found") || isRefusal(error, "event_not_found")) return UNKNOWN;
    throw error;
  }
}
