import { useCallback, useEffect, useReducer, useRef } from "react";
import { type LiveEntry, livePosition, useLive } from "../../live/live.ts";
import { useWorkspace } from "../../platform/call/workspace.ts";
import { beginning, emptyFeed, type Feed, type FeedPage, released, withLive, withNewest, withOlder } from "./feed.ts";
import { isShown, type LogFilters, logQueryOf } from "./filters.ts";

interface State {
  feed: Feed;
  reading: boolean;
  error: unknown;
}
type Step =
  | { is: "begun" | "older asked" | "released" | "emptied" | "gap" }
  | { is: "failed"; error: unknown }
  | { is: "newest" | "older"; page: FeedPage }
  | { is: "told"; entries: LiveEntry[]; still: boolean };

function next(state: State, step: Step): State {
  const { feed } = state;
  switch (step.is) {
    case "begun":
      return { feed: beginning(feed), reading: true, error: undefined };
    case "older asked":
      return { feed, reading: true, error: undefined };
    case "newest":
      return { feed: withNewest(feed, step.page), reading: false, error: undefined };
    case "older":
      return { feed: withOlder(feed, step.page), reading: false, error: undefined };
    case "failed":
      return {
        feed: { ...feed, beginning: false, gap: feed.gap || feed.beginning },
        reading: false,
        error: step.error,
      };
    case "told":
      return { ...state, feed: withLive(feed, step.entries, step.still) };
    case "released":
      return { ...state, feed: released(feed) };
    case "emptied":
      return { ...state, feed: emptyFeed };
    case "gap":
      return { ...state, feed: { ...feed, gap: true } };
  }
}

/**
 * The log as it grows: a page of the past, what the stream tells above it, and older pages below. Entries are taken over once a frame. While
 * `still`, they wait.
 */
export function useFeed(filters: LogFilters, still: boolean) {
  const { call } = useWorkspace();
  const [{ feed, reading, error }, step] = useReducer(next, { feed: emptyFeed, reading: true, error: undefined });
  const query = JSON.stringify(logQueryOf(filters));
  const asked = useRef<AbortController>(undefined);

  const latest = useRef({ filters, still });
  useEffect(() => {
    latest.current = { filters, still };
  });
  const forget = useTold((all) => {
    const entries = all.filter((entry) => isShown(entry, latest.current.filters));
    if (entries.length > 0) step({ is: "told", entries, still: latest.current.still });
  });

  const read = useCallback(
    async (cursor?: string) => {
      asked.current?.abort();
      const control = new AbortController();
      asked.current = control;
      step({ is: cursor ? "older asked" : "begun" });
      // Exactly up to where the stream is: whatever it tells from now on is above the page.
      const from = cursor === undefined ? livePosition() : undefined;
      if (cursor === undefined) forget();
      try {
        const of = { ...JSON.parse(query), limit: 100, cursor: cursor ?? from?.cursor };
        const { body } = await call<FeedPage>("GET", "/activity", { query: of, signal: control.signal });
        if (control.signal.aborted) return;
        const last = from?.entry && isShown(from.entry, latest.current.filters) ? [from.entry] : [];
        step({ is: cursor ? "older" : "newest", page: { ...body, data: [...last, ...body.data] } });
      } catch (error) {
        if (!control.signal.aborted) step({ is: "failed", error });
      }
    },
    [call, query, forget],
  );
  useEffect(() => {
    step({ is: "emptied" });
    void read();
    return () => asked.current?.abort();
  }, [read]);

  // Between two streams of which one does not continue the other, entries are missing.
  useLive("opened", ({ continued }) => {
    if (continued) return;
    if (still) step({ is: "gap" });
    else void read();
  });
  useEffect(() => {
    if (still || feed.beginning || error) return;
    if (feed.gap) void read();
    else if (feed.waiting.length > 0) step({ is: "released" });
  }, [still, feed, error, read]);

  const { older } = feed;
  return {
    feed,
    data: older === undefined ? undefined : feed,
    error,
    isPending: older === undefined && !error,
    refetch: () => void read(),
    hasNextPage: typeof older === "string" && !feed.beginning,
    isFetchingNextPage: reading && !feed.beginning,
    isFetchNextPageError: Boolean(error),
    fetchNextPage: () => void (older && read(older)),
  };
}

/** Hands over what the stream tells, once a frame: a busy workspace has hundreds of entries at once. Returns what forgets those of this frame. */
function useTold(take: (entries: LiveEntry[]) => void): () => void {
  const told = useRef<LiveEntry[]>([]);
  const frame = useRef(0);
  useLive("activity", (entry) => {
    told.current.push(entry);
    frame.current ||= requestAnimationFrame(() => {
      frame.current = 0;
      take(told.current.splice(0));
    });
  });
  useEffect(() => () => cancelAnimationFrame(frame.current), []);
  return useCallback(() => void told.current.splice(0), []);
}
