import { QueryClient, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { Query } from "./call.ts";
import { onHealed } from "./connection.ts";
import { Refusal } from "./refusal.ts";
import { useWorkspace } from "./workspace.ts";

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      // The browser's own idea of being online is often wrong: each call finds out (connection.ts).
      networkMode: "always",
      staleTime: 10_000,
      retry: (failures, error) => !(error instanceof Refusal) && failures < 2,
    },
    mutations: { networkMode: "always" },
  },
});
onHealed(() => void queries.invalidateQueries());

interface Options {
  /** Asks again so often while the page is looked at. */
  everyMs?: number;
  enabled?: boolean;
}

/** Reads one resource of the open workspace. */
export function useRead<T>(path: string, query?: Query, { everyMs, enabled = true }: Options = {}) {
  const { id, call } = useWorkspace();
  return useQuery({
    queryKey: [id, path, query ?? {}],
    queryFn: async ({ signal }) => (await call<T>("GET", path, { query, signal })).body,
    enabled,
    ...(everyMs && { refetchInterval: everyMs }),
  });
}

interface Page<T> {
  data: T[];
  next_cursor: string | null;
}

/** Reads a list page by page; `rows` are those read so far. */
export function useList<T>(path: string, query: Query = {}, { everyMs, enabled = true }: Options = {}) {
  const { id, call } = useWorkspace();
  const list = useInfiniteQuery({
    queryKey: [id, path, query],
    queryFn: async ({ signal, pageParam }) =>
      (await call<Page<T>>("GET", path, { query: { ...query, ...(pageParam && { cursor: pageParam }) }, signal })).body,
    initialPageParam: "",
    getNextPageParam: (last) => last.next_cursor ?? undefined,
    enabled,
    ...(everyMs && { refetchInterval: everyMs }),
  });
  return { ...list, rows: list.data?.pages.flatMap(({ data }) => data) ?? [] };
}
