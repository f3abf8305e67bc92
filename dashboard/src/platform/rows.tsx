import { Button } from "@mantine/core";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { useTexts } from "./language/texts.ts";
import css from "./rows.module.css";
import { texts } from "./states/texts.ts";

interface List {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  isFetchNextPageError: boolean;
  fetchNextPage: () => unknown;
  /** Newer rows exist than the first ones here. */
  isBehind?: boolean;
  toNewest?: () => void;
}

interface RowsProps<T> {
  rows: readonly T[];
  list: List;
  idOf: (row: T) => string;
  /** What the list contains, for a screen reader. */
  label: string;
  height: number;
  /** The first link or button of a row gets the focus. */
  children: (row: T) => ReactNode;
}

/** Rows before the end at which the next page is read. */
const AHEAD = 15;

/** A long list: only the rows in sight are there, and the next page is read before its end is reached. Arrow keys go from row to row. */
export function Rows<T>({ rows, list, idOf, label, height, children }: RowsProps<T>) {
  const t = useTexts(texts);
  const place = useRef<HTMLUListElement>(null);
  const [margin, setMargin] = useState(0);
  const [focused, setFocused] = useState<number>();
  useEffect(() => setMargin(place.current?.offsetTop ?? 0), []);
  // The page scrolls and not the list: on a phone the filters would otherwise leave it no room.
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => document.getElementById("content"),
    estimateSize: () => height,
    scrollMargin: margin,
    overscan: 12,
    getItemKey: (i) => idOf(rows[i] as T),
  });
  const items = virtual.getVirtualItems();
  const end = items.at(-1)?.index ?? 0;
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = list;
  useEffect(() => {
    if (end >= rows.length - AHEAD && hasNextPage && !isFetchingNextPage && !isFetchNextPageError) fetchNextPage();
  }, [end, rows.length, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage]);

  const rowAt = (i: number) => place.current?.querySelector<HTMLElement>(`[data-index="${i}"]`);
  // The row may only be drawn after the scroll.
  useEffect(() => {
    if (focused !== undefined) rowAt(focused)?.querySelector<HTMLElement>("a, button")?.focus();
  });
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const from = (event.target as HTMLElement).closest<HTMLElement>("[data-index]");
    if (!step || !from) return;
    const next = Math.min(Math.max(Number(from.dataset.index) + step, 0), rows.length - 1);
    event.preventDefault();
    virtual.scrollToIndex(next);
    setFocused(next);
  };
  const toNewest = () => {
    document.getElementById("content")?.scrollTo({ top: 0 });
    list.toNewest?.();
  };
  return (
    <>
      {list.isBehind && (
        <div className={css.newer}>
          <Button size="compact-sm" radius="xl" onClick={toNewest}>
            {t("newerRows")}
          </Button>
        </div>
      )}
      <ul
        ref={place}
        className={css.rows}
        aria-label={label}
        style={{ height: virtual.getTotalSize() }}
        onKeyDown={onKeyDown}
        onBlur={() => setFocused(undefined)}
      >
        {items.map((item) => (
          <li
            key={item.key}
            data-index={item.index}
            className={css.row}
            style={{ height, transform: `translateY(${item.start - margin}px)` }}
            aria-setsize={hasNextPage ? -1 : rows.length}
            aria-posinset={item.index + 1}
          >
            {children(rows[item.index] as T)}
          </li>
        ))}
      </ul>
      {isFetchingNextPage && <div className={css.more}>{t("loading")} …</div>}
      {isFetchNextPageError && (
        <div className={css.more}>
          <Button variant="default" onClick={() => fetchNextPage()}>
            {t("more")}
          </Button>
        </div>
      )}
    </>
  );
}
