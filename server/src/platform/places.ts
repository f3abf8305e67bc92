import { readFileSync } from "node:fs";
import type { Config } from "./config.ts";

/** How many clients this process accepts at once. */
export interface Places {
  connections: number;
  /** Connections of one address; undefined: no limit of its own. */
  connectionsOfOne: number | undefined;
  streams: number;
  /** Streams of one key, so that one application leaves some to the others. */
  streamsOfKey: number;
  /** Streams of a whole workspace, besides the others. */
  wideStreams: number;
}

/** File descriptors that clients do not get: for the database, providers, webhooks and files. */
const RESERVE = { least: 128, share: 0.25, most: 2_048 };
/** Descriptors, where the system does not tell its limit. */
const USUAL = 4_096;
/** Each stream costs about 20 KB. */
const MOST_STREAMS = 50_000;
/** The part of the connections that may be streams; the others are for requests, such as /readyz. */
const STREAMS = 0.8;
const OF_ONE_KEY = 0.75;
/** Such a stream may be sent all that happens in a workspace. */
const MOST_WIDE = 1_000;
const WIDE = 0.05;

/** Returns the limits that follow from the file descriptors and from the operator's settings. */
export function placesFor(
  config: Pick<Config, "maxConnections" | "connectionsPerAddress" | "streamsPerKey">,
  descriptors = openFilesLimit() ?? USUAL,
): Places {
  const reserve = Math.min(RESERVE.most, Math.max(RESERVE.least, Math.floor(descriptors * RESERVE.share)));
  const connections = Math.max(1, Math.min(descriptors - reserve, config.maxConnections ?? Number.POSITIVE_INFINITY));
  const streams = Math.min(MOST_STREAMS, Math.floor(connections * STREAMS));
  return {
    connections,
    connectionsOfOne: config.connectionsPerAddress,
    streams,
    wideStreams: Math.min(MOST_WIDE, Math.floor(connections * WIDE)),
    streamsOfKey: Math.min(streams, config.streamsPerKey ?? Math.floor(streams * OF_ONE_KEY)),
  };
}

/** Returns how many files this process may have open; undefined except on Linux. Node raises the limit to the hard limit by itself. */
function openFilesLimit(): number | undefined {
  try {
    return softLimit(readFileSync("/proc/self/limits", "utf8"));
  } catch {
    return undefined;
  }
}

/** Reads the soft limit of open files from the text of /proc/self/limits. */
export function softLimit(text: string): number | undefined {
  const [, limit] = /^Max open files\s+(\d+|unlimited)\s/m.exec(text) ?? [];
  return limit === "unlimited" ? Number.MAX_SAFE_INTEGER : limit === undefined ? undefined : Number(limit);
}
