import { useQueries } from "@tanstack/react-query";
import { useWorkspace } from "../../../platform/call/workspace.ts";
import { conditionsWithin, type Part } from "../model/tree.ts";

/** Where things are read, by the prefix of their id. */
const PATHS: Record<string, string> = {
  aud: "audiences",
  top: "topics",
  bc: "broadcasts",
  cmp: "campaigns",
  tx: "transactionals",
  msg: "in-app-messages",
};
const pathOf = (id: string): string | undefined => {
  const prefix = /^([a-z]+)_[0-9a-z]{26}$/.exec(id)?.[1];
  return prefix && PATHS[prefix] ? `/${PATHS[prefix]}/${id}` : undefined;
};

/** Returns the names of things by their ids. One that is gone has none. */
export function useNames(ids: readonly string[]): ReadonlyMap<string, string> {
  const { id: workspace, call } = useWorkspace();
  const known = [...new Set(ids)].flatMap((id) => {
    const path = pathOf(id);
    return path ? [{ id, path }] : [];
  });
  return useQueries({
    queries: known.map(({ path }) => ({
      // As useRead has it: the page of the thing has read it, too.
      queryKey: [workspace, path, {}],
      queryFn: async ({ signal }: { signal: AbortSignal }) =>
        (await call<{ name: string }>("GET", path, { signal })).body,
      staleTime: 60_000,
    })),
    combine: (answers) =>
      new Map(answers.flatMap(({ data }, i) => (data ? [[known[i]?.id as string, data.name] as const] : []))),
  });
}

/** Returns the names of what a filter refers to. */
export function useNamesIn(filter: Part | null): ReadonlyMap<string, string> {
  const ids = filter
    ? conditionsWithin(filter).flatMap(({ audience, topic, source_id: source }) => [audience, topic, source])
    : [];
  return useNames(ids.filter((id) => typeof id === "string"));
}
