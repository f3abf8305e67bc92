import type { LiveChanged, LiveProgress } from "@tidings/contract/live";
import type { Event } from "@tidings/contract/webhooks";
import { useEffect, useRef } from "react";
import { createStore, useStore } from "../platform/store.ts";
import type { SentEvent } from "./parser.ts";
import type { StreamState } from "./stream.ts";

/** An entry of the log as it came, with its position: a cursor of GET /activity. */
export interface LiveEntry extends Event {
  cursor: string | undefined;
}

interface Kinds {
  activity: LiveEntry;
  progress: LiveProgress;
  changed: LiveChanged;
  /** The stream has begun. If it did not continue, entries between are not told. */
  opened: { continued: boolean };
}
type Hearers = { [K in keyof Kinds]: Set<(told: Kinds[K]) => void> };
const hearers: Hearers = { activity: new Set(), progress: new Set(), changed: new Set(), opened: new Set() };

/** What is told to everything that hears it. */
export function tellLive<K extends keyof Kinds>(kind: K, told: Kinds[K]): void {
  for (const hear of hearers[kind]) hear(told);
}

/** Hears what the stream of the open workspace tells. Returns what ends it. */
export function hearLive<K extends keyof Kinds>(kind: K, hear: (told: Kinds[K]) => void): () => void {
  hearers[kind].add(hear);
  return () => void hearers[kind].delete(hear);
}

/** Listens while a component is there, and calls its latest function. */
export function useLive<K extends keyof Kinds>(kind: K, hear: (told: Kinds[K]) => void): void {
  const latest = useRef(hear);
  useEffect(() => {
    latest.current = hear;
  });
  useEffect(() => hearLive(kind, (told) => latest.current(told)), [kind]);
}

/** Whether the stream is open now; a room says so. */
export const streamState = createStore<StreamState>("waiting");
export const useStreamState = (): StreamState => useStore(streamState);

/** How far the stream has told the log: everything up to here, and nothing after it. */
export interface LivePosition {
  /** GET /activity lists from it on what is before it. */
  cursor: string;
  /** The entry at the position itself, unless the stream has only begun there. */
  entry: LiveEntry | undefined;
}
let position: LivePosition | undefined;
export const livePosition = (): LivePosition | undefined => position;
export function forgetPosition(): void {
  position = undefined;
}
/** The stream is at a position. */
export function tellPosition(cursor: string): void {
  if (position?.cursor !== cursor) position = { cursor, entry: undefined };
}

/** Passes an event of the stream on. Kinds that this page does not know are of a newer service. */
export function tellSent({ event, data, id }: SentEvent): void {
  if (event === "activity") {
    const entry = { ...(JSON.parse(data) as Event), cursor: id };
    if (id !== undefined) position = { cursor: id, entry };
    tellLive("activity", entry);
  }
  if (event === "progress") tellLive("progress", JSON.parse(data) as LiveProgress);
  if (event === "changed") tellLive("changed", JSON.parse(data) as LiveChanged);
}
