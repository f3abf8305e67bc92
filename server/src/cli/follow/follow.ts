import { setTimeout as sleep } from "node:timers/promises";
import type { Event } from "@tidings/contract/webhooks";
import type { Static } from "typebox";
import { type Answer, bodyOf, type Client } from "../connect/client.ts";

// Follows the feed of events, `GET /api/v1/events`, for the commands that go on until Ctrl-C.

/** An event, as endpoints get it. */
export type FedEvent = Static<typeof Event>;

export interface Following {
  /** Kinds and families, separated by commas; undefined for all. */
  types: string | undefined;
  /** Ends the following. */
  signal: AbortSignal;
}

const FEED = "/api/v1/events";
/** How often the feed is asked, once all is read. */
const PAUSE_MS = 1_000;

/**
 * Returns a signal of the first Ctrl-C, or of the end of who reads the output, such as `| head`. Call it before a temporary key is created:
 * without a listener Ctrl-C leaves the key behind.
 */
export function untilInterrupted(): AbortSignal {
  const controller = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => controller.abort());
  process.stdout.once("error", () => controller.abort());
  return controller.signal;
}

/** Returns the cursor behind all events that are there now. @throws Refused */
export async function endOfFeed(client: Client): Promise<string> {
  return bodyOf(await client.call("GET", `${FEED}?cursor=latest&limit=1`, "secret")).next_cursor;
}

/**
 * Calls `take` with each event behind `cursor`, one after the other in the feed's order, until the signal. A service that does not answer,
 * such as one that restarts, is asked again each second; then no event is left out.
 * @throws Refused when the service refuses the call
 */
export async function follow(
  client: Client,
  cursor: string,
  { types, signal }: Following,
  take: (event: FedEvent) => unknown,
): Promise<void> {
  let at = cursor;
  let away = false;
  while (!signal.aborted) {
    const query = new URLSearchParams({ cursor: at, limit: "200", ...(types !== undefined && { types }) });
    const answer = await asked(client, `${FEED}?${query}`);
    if (away !== (answer === undefined)) {
      away = !away;
      console.error(
        away ? "tidings: the service does not answer; trying again each second" : "tidings: it answers again",
      );
    }
    const page = answer === undefined ? { data: [], next_cursor: at, has_more: false } : bodyOf(answer);
    for (const event of page.data as FedEvent[]) {
      if (signal.aborted) return;
      await take(event);
    }
    at = page.next_cursor;
    if (!page.has_more) await sleep(PAUSE_MS, undefined, { signal }).catch(() => undefined);
  }
}

/** Returns the answer, or undefined while there is none, or none but "not now". */
async function asked(client: Client, path: string): Promise<Answer | undefined> {
  const answer = await client.call("GET", path, "secret").catch(() => undefined);
  return answer && (answer.status >= 500 || answer.status === 429) ? undefined : answer;
}
