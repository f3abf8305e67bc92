import {
  hashKey,
  type InfiniteData,
  keepPreviousData,
  QueryClient,
  type QueryKey,
  useInfiniteQuery,
  useQuery,
} from "@tanstack/react-query";
import { useEffect, useMemo, useSyncExternalStore } from "react";
import { behind } from "./behind.ts";
import type { Query, Read } from "./call.ts";
import { onHealed } from "./connection.ts";
import { isBusy, Refusal } from "./refusal.ts";
import { useWorkspace } from "./workspace.ts";

const LONGEST_WAIT_S = 5;

const retryDelay = (failures: number, error: Error): number =>
  error instanceof Refusal ? (error.retryAfter ?? 1) * 1_000 : 1_000 * 2 ** failures;

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      // The browser's own idea of being online is often wrong: each call finds out (connection.ts).
      networkMode: "always",
      staleTime: 10_000,
      // A call that was refused for its content is refused again. Nobody waits a minute before a screen: a longer limit is shown at once.
      retry: (failures, error) =>
        failures < 2 && (!(error instanceof Refusal) || (isBusy(error) && (error.retryAfter ?? 1) <= LONGEST_WAIT_S)),
      retryDelay,
    },
    mutations: { networkMode: "always" },
  },
});

/**
 * For what a person waits for in front of the screen and what changes nothing: where the service is busy (429, 503), asks again when it says,
 * until it answers. `Busy` says so meanwhile.
 */
export const patient = {
  retry: (failures: number, error: Error) => isBusy(error) || (failures < 2 && !(error instanceof Refusal)),
  retryDelay,
};
onHealed(() => void queries.invalidateQueries());

interface Options {
  /** Asks again so often while the page is looked at. */
  everyMs?: number;
  enabled?: boolean;
  /** While another query is answered, shows what the one before it read: a filter that changes does not blink. */
  keep?: boolean;
}

/** Reads one resource of the open workspace. */
export function useRead<T>(path: string, query?: Query, { everyMs, enabled = true, keep = false }: Options = {}) {
  const { id, call } = useWorkspace();
  return useQuery({
    queryKey: [id, path, query ?? {}],
    queryFn: async ({ signal }) => (await call<T>("GET", path, { query, signal })).body,
    enabled,
    ...(everyMs && { refetchInterval: everyMs }),
    ...(keep && { placeholderData: keepPreviousData }),
  });
}

const versionKey = (workspace: string, path: string) => [workspace, path, "version"];

/** Reads one resource with the version that it has, for a form that changes it (`useEdit`). */
export function useVersion<T>(path: string, { enabled = true }: { enabled?: boolean } = {}) {
  const { id, call } = useWorkspace();
  return useQuery({
    queryKey: versionKey(id, path),
    queryFn: ({ signal }) => call<T>("GET", path, { signal }),
    enabled,
  });
}

/** Takes the answer of a change as what is read. Everything else that shows the resource reads it anew. */
export function keepVersion<T>(workspace: string, path: string, version: Read<T>): void {
  const key = versionKey(workspace, path);
  // What is being read at this moment may be the version before.
  void queries.cancelQueries({ queryKey: key });
  queries.setQueryData(key, version);
  void queries.invalidateQueries({
    queryKey: [workspace, path],
    predicate: ({ queryKey }) => queryKey[2] !== "version",
  });
}

interface ListPage<T> {
  data: T[];
  next_cursor: string | null;
}

/** A list of more pages is not read again by itself: somebody who is 200 pages down would wait for 200 calls. */
const MOST_REREAD = 3;

/** Reads a list page by page; `rows` are those read so far. */
export function useList<T>(path: string, query: Query = {}, { everyMs, enabled = true, keep = false }: Options = {}) {
  const { id, call } = useWorkspace();
  // Apart from what `useRead` keeps of the same address: a page by itself has another shape.
  const queryKey = [id, path, query, "pages"];
  const again = ({ state: { data } }: { state: { data?: unknown } }) =>
    ((data as InfiniteData<unknown> | undefined)?.pages.length ?? 0) <= MOST_REREAD;
  // Named, because the functions below keep them from being inferred.
  const list = useInfiniteQuery<ListPage<T>, Error, InfiniteData<ListPage<T>, string>, QueryKey, string>({
    queryKey,
    queryFn: async ({ signal, pageParam }) =>
      (await call<ListPage<T>>("GET", path, { query: { ...query, ...(pageParam && { cursor: pageParam }) }, signal }))
        .body,
    initialPageParam: "",
    getNextPageParam: (last) => last.next_cursor ?? undefined,
    enabled,
    refetchOnMount: again,
    refetchOnWindowFocus: again,
    refetchOnReconnect: again,
    ...(everyMs && { refetchInterval: (of) => again(of) && everyMs }),
    ...(keep && { placeholderData: keepPreviousData }),
  });
  const hash = hashKey(queryKey);
  const isBehind = useSyncExternalStore(behind.subscribe, () => behind.has(hash));
  // What was read since is as new as can be.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer counts
  useEffect(() => behind.remove(hash), [hash, list.dataUpdatedAt]);
  const rows = useMemo(() => list.data?.pages.flatMap(({ data }) => data) ?? [], [list.data]);
  return {
    ...list,
    rows,
    /** Newer rows exist. They do not come by themselves while somebody reads further down. */
    isBehind,
    /** Reads the newest rows, and forgets the pages after them. */
    toNewest() {
      behind.remove(hash);
      queries.setQueryData<typeof list.data>(
        queryKey,
        (data) => data && { pages: data.pages.slice(0, 1), pageParams: [""] },
      );
      void queries.invalidateQueries({ queryKey, exact: true });
    },
  };
}
