import * as crypto from "node:crypto";
import type { SyncQuery } from "@tidings/contract/inapp/messages";
import { gather } from "../../platform/work/gather.ts";
import { personKey, type Workspace } from "../../workspaces/index.ts";
import { knownVersion, loadVersions, messageJson } from "../definition/version.ts";
import { capsOf } from "../delivery/caps-store.ts";
import {
  type Behind,
  type First,
  firstLive,
  type LiveRow,
  type LiveVersion,
  type Next,
  nextLive,
  versionsBehind,
} from "../delivery/live-store.ts";
import { heldUntil } from "../rules/cap.ts";
import { hides, type Look, NOT_ASKED, passes } from "../rules/gates.ts";
import type { InAppGround } from "./near-misses.ts";
import { TestSyncs } from "./test-syncs.ts";

/** The body of a sync: a JSON array of what this person may see here and now. */
export type Sync = (workspace: Workspace, query: SyncQuery) => Promise<string>;

const NOTHING = "[]";

/** Rows of the second page and of those behind it. The first has just as many as are asked for: mostly all of them are shown. */
const SECOND = 64;
const LATER = 512;

/**
 * Gives the function behind the sync route, the busiest of the product. Live deliveries come in order from one index range,
 * read for all who ask at the same time in one statement; the rules decide in order until `limit` are kept. There is no limit
 * in SQL before the rules: hidden messages would starve visible ones. The second page leaves out the versions of which the
 * first has told that they show nothing here, and where that does not do, all of a person's versions are asked for and judged:
 * who has 5,000 deliveries of which 3 are to be seen pays for the versions, of which there are few, and for the 3.
 */
export function syncer(ground: InAppGround): Sync {
  const { db, clock, nearMisses } = ground;
  const tests = new TestSyncs(ground);
  const first = gather<First, LiveRow[]>((asked) => firstLive(db, asked));
  const behind = gather<Behind, LiveVersion[]>((asked) => versionsBehind(db, asked));
  const next = gather<Next, LiveRow[]>((asked) => nextLive(db, asked));

  const shownAt = gather<string, number[]>(async (keys) => {
    const caps = await capsOf(db, keys);
    return keys.map((key) => caps.get(key)?.times ?? []);
  });

  return async (workspace, query) => {
    const key = personKey(workspace.id, query.person_id);
    let want = query.limit;
    let rows = await first({ personKey: key, want });
    if (rows.length === 0) {
      nearMisses.note(workspace.id, query.person_id, key, query.screen);
      return NOTHING;
    }
    const look = lookOf(workspace, query, clock.now());
    const cap = workspace.in_app_cap;
    if (cap) look.cappedUntil = heldUntil(cap, await shownAt(key), look.now);
    let body = "";
    let kept = 0;
    let hidden: LiveVersion[] = [];
    for (;;) {
      if (anyUnknown(rows)) await loadVersions(db, workspace.id, rows);
      for (const row of rows) {
        const version = knownVersion(row.message_id, row.message_version);
        const shows = version !== undefined && passes(version, row, look);
        if (row.test) tests.note(key, row, look, shows);
        if (!shows) continue;
        body += `${kept === 0 ? "[" : ","}${messageJson(version, row.id, row.content, row.expires_at)}`;
        if (++kept === query.limit) return `${body}]`;
      }
      const last = rows[rows.length - 1];
      if (last === undefined || rows.length < want) break;
      const place = { personKey: key, after: last.id };
      if (want < SECOND) {
        want = SECOND;
        hidden = hiddenOf(rows, look);
      } else if (want === SECOND) {
        want = LATER;
        const versions = await behind(place);
        if (anyUnknown(versions)) await loadVersions(db, workspace.id, versions);
        hidden = hiddenOf(versions, look);
        if (hidden.length === versions.length) break;
      }
      rows = await next({ ...place, want, hidden });
    }
    return kept === 0 ? NOTHING : `${body}]`;
  };
}

function anyUnknown(versions: LiveVersion[]): boolean {
  for (const one of versions) if (knownVersion(one.message_id, one.message_version) === undefined) return true;
  return false;
}

/** Those of which nothing shows here and now, each once. One that the database does not have shows nothing either. */
function hiddenOf(versions: LiveVersion[], look: Look): LiveVersion[] {
  const hidden = new Map<string, LiveVersion>();
  for (const { message_id, message_version } of versions) {
    const version = knownVersion(message_id, message_version);
    if (version === undefined || hides(version, look))
      hidden.set(`${message_id} ${message_version}`, { message_id, message_version });
  }
  return [...hidden.values()];
}

/** Where a client looks from, as it says. */
export interface Place {
  screen?: string | undefined;
  timezone?: string | undefined;
  tz_offset_minutes?: number | undefined;
}

/** The same, as the rules take it. */
export function lookOf(workspace: Pick<Workspace, "timezone">, query: Place, now: Date): Look {
  const screen = query.screen?.trim();
  return {
    now: now.getTime(),
    screen: screen === "" ? undefined : screen,
    timezone: query.timezone,
    offsetMinutes: query.tz_offset_minutes,
    workspaceZone: workspace.timezone,
    deviceMinute: NOT_ASKED,
    workspaceMinute: NOT_ASKED,
    cappedUntil: 0,
  };
}

const etag = (body: string): string => `"${crypto.hash("sha1", body, "base64url")}"`;
const NOTHING_ETAG = etag(NOTHING);

/** A strong ETag of the whole answer. */
export const etagOf = (body: string): string => (body === NOTHING ? NOTHING_ETAG : etag(body));

/** Whether If-None-Match names this ETag. It may be a list, and a proxy that compresses makes it weak (W/). */
export function matches(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  if (header === tag) return true;
  return header.split(",").some((part) => {
    const one = part.trim();
    return one === "*" || one === tag || one === `W/${tag}`;
  });
}
