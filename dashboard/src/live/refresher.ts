import type { Query, QueryClient } from "@tanstack/react-query";
import { behind } from "../platform/call/behind.ts";
import { type Concerns, isConcerned } from "./concerns.ts";

/** What one sees changes as soon as this after it happened. */
const SOON_MS = 300;
/** Nothing is read more often than this, however much happens. */
const LEAST_MS = 1_500;
/** Numbers over many deliveries. */
const SLOW = /^\/analytics/;
const SLOW_MS = 15_000;
/** Reading takes at most a fifth of the time. */
const REST_FACTOR = 4;

export interface Refresher {
  concerned(concerns: Concerns): void;
  /** Everything may be different. */
  all(): void;
  stop(): void;
}

/** Reads again what is on the page and concerned: soon, and seldom. What is not on the page is read again when it is opened. */
export function createRefresher(queries: QueryClient, workspace: string): Refresher {
  let exact = new Set<string>();
  let below = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let notBefore = 0;
  let stopped = false;
  const slowAt = new Map<string, number>();

  const plan = (ms: number) => {
    timer ??= setTimeout(() => void refresh(), ms);
  };
  const isOurs = ({ queryKey: [first] }: Query) => first === workspace;
  const pathOf = ({ queryKey }: Query) => String(queryKey[1]);

  /** What can't be read now is concerned again the next time. */
  function isDue(query: Query, now: number): boolean {
    const path = pathOf(query);
    // Its answer may be from before the change. Asked anew each time, a slow one would never arrive.
    const busy = query.state.fetchStatus === "fetching";
    const early = SLOW.test(path) && now - (slowAt.get(query.queryHash) ?? 0) < SLOW_MS;
    if (busy || early) exact.add(path);
    else if (SLOW.test(path)) slowAt.set(query.queryHash, now);
    return !busy && !early;
  }

  async function refresh(): Promise<void> {
    const before = { exact, below };
    [exact, below] = [new Set(), new Set()];
    const now = Date.now();
    const concerned = queries
      .getQueryCache()
      .findAll({ predicate: (query) => isOurs(query) && isConcerned(pathOf(query), before.exact, before.below) })
      .filter((query) => isDue(query, now));
    const reads = concerned.map((query) => {
      const key = { queryKey: query.queryKey, exact: true };
      if (!isScrolled(query)) return queries.invalidateQueries(key);
      // Rows that somebody reads would move away, and each page would be read again.
      behind.add(query.queryHash);
      return queries.invalidateQueries({ ...key, refetchType: "none" });
    });
    await Promise.allSettled(reads);
    notBefore = Date.now() + Math.max(LEAST_MS, (Date.now() - now) * REST_FACTOR);
    timer = undefined;
    if (stopped) return;
    if (exact.size + below.size > 0) plan(notBefore - Date.now());
  }

  return {
    concerned(concerns) {
      for (const path of concerns.exact) exact.add(path);
      for (const path of concerns.below) below.add(path);
      plan(Math.max(SOON_MS, notBefore - Date.now()));
    },
    all: () => void queries.invalidateQueries({ predicate: (query) => isOurs(query) && !isScrolled(query) }),
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

/** Whether it is a list of which somebody has read more than the first page. */
const isScrolled = ({ state: { data } }: Query): boolean =>
  ((data as { pages?: unknown[] } | undefined)?.pages?.length ?? 0) > 1;
