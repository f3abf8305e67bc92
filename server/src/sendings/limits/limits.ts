import type { TimeWindow } from "@tidings/contract/hours";
import type { Person } from "../../people/index.ts";
import type { Queries, Tx } from "../../platform/db/index.ts";
import { openings, windowAt, zoneOf } from "../../platform/time/window.ts";
import { exemptTopics } from "../../subscriptions/index.ts";
import type { Workspace } from "../../workspaces/index.ts";
import { type Held, holdOf, type Limit, limitsFor, type Received, windowFor } from "../rules/limits.ts";
import type { Sending } from "../sending.ts";
import { lockFrequency, type ReceivedAsk, type ReceivedRow, receivedSince } from "./store.ts";

// The workspace's limits for everything that is not transactional (docs/decisions/0031). A workspace without limits costs no statement.

/**
 * Returns for each of these people why the sending is held back from them now; undefined where it may be sent. It counts the people of one
 * call one after the other, so a person who occurs twice counts twice. All who are not held back count as sent.
 */
export type AskHeld = (sending: Sending, people: Person[], now: Date) => Promise<(Held | undefined)[]>;

/**
 * Locks people's messages against other transactions that count them, and returns the question who is held back. A transaction calls
 * this once, for all people to whom it may send, and before it waits for any other lock: then no two transactions wait for each other.
 */
export async function lockLimits(tx: Tx, workspace: Workspace, keys: string[]): Promise<AskHeld> {
  const { channels = {}, ...all } = workspace.marketing_limits;
  const counts = [all, ...Object.values(channels)].some(({ per_day, per_week }) => per_day ?? per_week);
  if (counts && keys.length > 0) await lockFrequency(tx, workspace.id, [...new Set(keys)].sort());
  return askHeld(tx, workspace);
}

/** What the question who is held back reads. */
export interface LimitReads {
  /** Returns the topics that the limits do not concern. */
  exempt(): Promise<string[]>;
  received(keys: string[], asked: ReceivedAsk): Promise<ReceivedRow[]>;
}

/** Returns the question who is held back, for a preview that sends nothing and so needs no lock. */
export const askHeld = (q: Queries, workspace: Workspace): AskHeld =>
  askHeldWith(workspace, {
    exempt: () => exemptTopics(q, workspace.id),
    received: (keys, asked) => receivedSince(q, keys, asked),
  });

/** Returns the question who is held back, over these reads. A simulation adds the messages that it sent. */
export function askHeldWith(workspace: Workspace, reads: LimitReads): AskHeld {
  return async (sending, people, now) => {
    const limits = limitsFor(workspace.marketing_limits, sending.channel);
    const window = windowFor(workspace.marketing_limits, sending.channel);
    if (people.length === 0 || (limits.length === 0 && window === undefined)) return people.map(() => undefined);
    const exempt = await reads.exempt();
    if (exempt.includes(sending.topicId ?? "")) return people.map(() => undefined);
    const received = await receivedBy(reads, people, { limits, exempt, now });
    const openNow = window && openings(window, now);
    return people.map((person) => {
      const theirs = received.get(person.person_key) ?? [];
      const zone = zoneOf(person.timezone, workspace.timezone);
      const opens = (at: Date): Date => {
        if (!window || !openNow) return at;
        return at === now ? openNow(zone) : windowAt(window, at, zone);
      };
      const held = holdOf({ limits, received: theirs, now, opens });
      if (!held) received.set(person.person_key, [...theirs, { channel: sending.channel, at: now }]);
      return held;
    });
  };
}

/** Returns by key what the people got that counts for these limits. */
async function receivedBy(
  reads: LimitReads,
  people: Person[],
  { limits, exempt, now }: { limits: Limit[]; exempt: string[]; now: Date },
): Promise<Map<string, Received[]>> {
  if (limits.length === 0) return new Map();
  const since = new Date(now.getTime() - Math.max(...limits.map(({ ms }) => ms)));
  const channels = new Set(limits.map(({ channel }) => channel));
  const [channel = null] = channels.has(null) ? [] : channels;
  const keys = [...new Set(people.map((person) => person.person_key))];
  return Map.groupBy(await reads.received(keys, { since, channel, exempt }), (one) => one.person_key);
}

/** Returns the window in which a sending is sent; undefined where it has none, or its topic is exempt. */
export async function windowOf(q: Queries, workspace: Workspace, sending: Sending): Promise<TimeWindow | undefined> {
  const window = windowFor(workspace.marketing_limits, sending.channel);
  if (!window || sending.topicId === null) return window;
  return (await exemptTopics(q, workspace.id)).includes(sending.topicId) ? undefined : window;
}
