import type { Source } from "@tidings/contract/facts/activity";
import { useMemo } from "react";
import { useRead } from "../../platform/call/queries.ts";

/** What a delivery may come from, by name. */
export interface NamedSource {
  id: string;
  name: string;
  source: Source;
}
type Listed = { data: { id: string; name: string }[] };

/** The most of each kind that are read: the newest. An older one is chosen by its id. */
const MOST = 200;

/** Reads the names of the transactionals, broadcasts and campaigns. */
export function useSources(): readonly NamedSource[] {
  const query = { limit: MOST };
  const transactionals = useRead<Listed>("/transactionals", query);
  const broadcasts = useRead<Listed>("/broadcasts", query);
  const campaigns = useRead<Listed>("/campaigns", query);
  return useMemo(() => {
    const named = (source: Source, list: Listed | undefined): NamedSource[] =>
      (list?.data ?? [])
        .map(({ id, name }) => ({ id, name, source }))
        .toSorted((one, other) => one.name.localeCompare(other.name));
    return [
      ...named("transactional", transactionals.data),
      ...named("broadcast", broadcasts.data),
      ...named("campaign", campaigns.data),
    ];
  }, [transactionals.data, broadcasts.data, campaigns.data]);
}

/** Returns the names of the newest sources by their ids, for entries of the log, which come without. */
export function useSourceNames(): ReadonlyMap<string, string> {
  const sources = useSources();
  return useMemo(() => new Map(sources.map(({ id, name }) => [id, name])), [sources]);
}
