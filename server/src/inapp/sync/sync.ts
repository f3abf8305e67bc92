import * as crypto from "node:crypto";
import type { SyncQuery } from "@tidings/contract/inapp/messages";
import { hadNoEffect } from "../../platform/db/index.ts";
import { traced } from "../../platform/tracing/index.ts";
import { gather } from "../../platform/work/gather.ts";
import { personKey, type Workspace } from "../../workspaces/index.ts";
import { keptVersions, loadVersions } from "../definition/compiled.ts";
import { messageJson, type Version } from "../definition/version.ts";
import { capsOf } from "../delivery/caps-store.ts";
import { type LiveVersion, type NextRead, nextLive, versionsAfter } from "../delivery/later-store.ts";
import { type FirstRead, firstLive, type LiveRow, type ReadAfter } from "../delivery/live-store.ts";
import { heldUntil } from "../rules/cap.ts";
import { hides, NOT_COMPUTED, passes, type SyncContext } from "../rules/gates.ts";
import type { InAppGround } from "./near-misses.ts";
import { TestSyncs } from "./test-syncs.ts";

/** Returns the body of a sync: a JSON array of the messages that this person may see here and now. */
export type Sync = (workspace: Workspace, query: SyncQuery) => Promise<string>;

const NOTHING = "[]";

/** Rows of the second read and of each later one. The first read takes only `limit` rows: mostly all of them are shown. */
const SECOND_READ = 64;
const LATER_READ = 512;

/**
 * Returns the function behind the sync route, the busiest of the product. It reads live deliveries in order from one index
 * range, in one statement for all requests that arrive at the same time; the rules decide in that order until `limit` are kept.
 * SQL must not apply the limit before the rules: hidden messages would starve visible ones. The second read leaves out the
 * versions that the first read showed to be hidden here. If that is not enough, sync reads all versions of the person and
 * evaluates each: a person with 5,000 deliveries of which 3 show costs a look-up per version, of which there are few, and the 3.
 */
export function syncer(ground: InAppGround): Sync {
  const { db, clock, nearMisses, traces } = ground;
  const tests = new TestSyncs(ground);
  const alone = { retryAlone: hadNoEffect };
  const first = gather<FirstRead, LiveRow[]>((reads) => firstLive(db, reads), alone);
  const versionsLeft = gather<ReadAfter, LiveVersion[]>((reads) => versionsAfter(db, reads), alone);
  const next = gather<NextRead, LiveRow[]>((reads) => nextLive(db, reads), alone);

  const impressionTimes = gather<string, number[]>(async (keys) => {
    const caps = await capsOf(db, keys);
    return keys.map((key) => caps.get(key)?.times ?? []);
  }, alone);

  return async (workspace, query) => {
    const key = personKey(workspace.id, query.person_id);
    let want = query.limit;
    const read = { personKey: key, want };
    let rows = traces.on
      ? await traced(traces, ["read live deliveries"], () => first(read), countOf)
      : await first(read);
    if (rows.length === 0) {
      nearMisses.note(workspace.id, query.person_id, key, query.screen);
      return NOTHING;
    }
    const context = syncContextOf(workspace, query, clock.now());
    const cap = workspace.in_app_cap;
    if (cap) context.cappedUntil = heldUntil(cap, await impressionTimes(key), context.now);
    let body = "";
    let kept = 0;
    let hidden: LiveVersion[] = [];
    for (;;) {
      const versions = keptVersions(rows) ?? (await loadVersions(db, workspace.id, rows));
      for (const [i, row] of rows.entries()) {
        const version = versions[i];
        const shows = version !== undefined && passes(version, row, context);
        if (row.test) tests.note(key, { row, version }, context, shows);
        if (!shows) continue;
        body += `${kept === 0 ? "[" : ","}${messageJson(version, row.id, row.content, row.expires_at)}`;
        if (++kept === query.limit) return `${body}]`;
      }
      const last = rows[rows.length - 1];
      if (last === undefined || rows.length < want) break;
      const position = { personKey: key, after: last.id };
      if (want < SECOND_READ) {
        want = SECOND_READ;
        hidden = hiddenOf(rows, versions, context);
      } else if (want === SECOND_READ) {
        want = LATER_READ;
        const left = await versionsLeft(position);
        hidden = hiddenOf(left, keptVersions(left) ?? (await loadVersions(db, workspace.id, left)), context);
        if (hidden.length === left.length) break;
      }
      rows = await next({ ...position, want, hidden });
    }
    return kept === 0 ? NOTHING : `${body}]`;
  };
}

const countOf = (rows: LiveRow[]) => ({ "tidings.rows": rows.length });

/** The versions that are hidden here and now, each once. A version that the database does not have is hidden too. */
function hiddenOf(rows: LiveVersion[], versions: (Version | undefined)[], context: SyncContext): LiveVersion[] {
  const hidden = new Map<string, LiveVersion>();
  for (const [i, { message_id, message_version }] of rows.entries()) {
    const version = versions[i];
    if (version === undefined || hides(version, context))
      hidden.set(`${message_id} ${message_version}`, { message_id, message_version });
  }
  return [...hidden.values()];
}

/** The screen and the clock that a client reports. */
export interface ReportedContext {
  screen?: string | undefined;
  timezone?: string | undefined;
  tz_offset_minutes?: number | undefined;
}

/** The reported context as the rules need it. `cappedUntil` is 0: the caller sets it. */
export function syncContextOf(workspace: Pick<Workspace, "timezone">, query: ReportedContext, now: Date): SyncContext {
  const screen = query.screen?.trim();
  return {
    now: now.getTime(),
    screen: screen === "" ? undefined : screen,
    timezone: query.timezone,
    offsetMinutes: query.tz_offset_minutes,
    workspaceZone: workspace.timezone,
    deviceMinute: NOT_COMPUTED,
    workspaceMinute: NOT_COMPUTED,
    cappedUntil: 0,
  };
}

const etag = (body: string): string => `"${crypto.hash("sha1", body, "base64url")}"`;
const NOTHING_ETAG = etag(NOTHING);

/** A strong ETag of the whole answer. */
export const etagOf = (body: string): string => (body === NOTHING ? NOTHING_ETAG : etag(body));
