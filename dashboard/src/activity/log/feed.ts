import type { Event } from "@tidings/contract/webhooks";

/** An entry of the log. With a cursor, older ones can be read from it on. */
export interface FeedEntry extends Event {
  cursor?: string | undefined;
}

export interface FeedPage {
  data: Event[];
  next_cursor: string | null;
}

/** What the page shows of the log, newest first, and what came while it must not move. */
export interface Feed {
  rows: readonly FeedEntry[];
  /** Newest first. */
  waiting: readonly FeedEntry[];
  /** Entries are missing between those that are shown and those that come: to go on, the newest page is read. */
  gap: boolean;
  /** The newest page is being read; what the stream tells meanwhile waits, and belongs above it. */
  beginning: boolean;
  /** Where older entries begin; null if there are none, undefined until the first page is read. */
  older: string | null | undefined;
}

/** The rows that are kept: further ones are read again when somebody goes there. */
export const MOST_ROWS = 3_000;
export const MOST_WAITING = 1_000;

export const emptyFeed: Feed = { rows: [], waiting: [], gap: false, beginning: false, older: undefined };

/** Leaves out entries whose ids are there already. */
function without(entries: readonly FeedEntry[], there: readonly FeedEntry[]): readonly FeedEntry[] {
  const ids = new Set(there.map(({ id }) => id));
  return entries.filter(({ id }) => !ids.has(id));
}

/** Cuts the end off where it can be read again from. */
function trimmed(feed: Feed): Feed {
  if (feed.rows.length <= MOST_ROWS) return feed;
  const end = feed.rows.findLastIndex(({ cursor }, i) => i < MOST_ROWS && cursor !== undefined);
  return end < 0 ? feed : { ...feed, rows: feed.rows.slice(0, end + 1), older: feed.rows[end]?.cursor ?? null };
}

/** The last entry of a page is where the next one begins. */
const withCursor = ({ data, next_cursor: cursor }: FeedPage): FeedEntry[] =>
  data.map((entry, i) => (i === data.length - 1 && cursor !== null ? { ...entry, cursor } : entry));

/** The newest page is asked for. What is shown stays until it comes. */
export const beginning = (feed: Feed): Feed => ({ ...feed, waiting: [], gap: false, beginning: true });

/** Takes the newest page, up to where the stream was when it was asked for, in the place of what was shown. What came since is above it. */
export function withNewest({ waiting, gap }: Feed, page: FeedPage): Feed {
  const rows = withCursor(page);
  const above = gap ? [] : without(waiting, rows);
  return { rows: [...above, ...rows], waiting: [], gap, beginning: false, older: page.next_cursor };
}

/** Takes a page of older entries. */
export const withOlder = (feed: Feed, page: FeedPage): Feed => ({
  ...feed,
  rows: [...feed.rows, ...without(withCursor(page), feed.rows)],
  older: page.next_cursor,
});

/** Takes what the stream told, oldest first. While the page holds still, it waits. */
export function withLive(feed: Feed, told: readonly FeedEntry[], still: boolean): Feed {
  const newest = without(told.toReversed(), feed.beginning ? feed.waiting : [...feed.waiting, ...feed.rows]);
  if (newest.length === 0) return feed;
  if (!still && !feed.beginning && feed.waiting.length === 0 && !feed.gap)
    return trimmed({ ...feed, rows: [...newest, ...feed.rows] });
  const waiting = [...newest, ...feed.waiting];
  return { ...feed, waiting: waiting.slice(0, MOST_WAITING), gap: feed.gap || waiting.length > MOST_WAITING };
}

/** Shows what waits. Where there is a gap, the newest page is read instead. */
export const released = (feed: Feed): Feed =>
  feed.gap || feed.beginning ? feed : trimmed({ ...feed, rows: [...feed.waiting, ...feed.rows], waiting: [] });
