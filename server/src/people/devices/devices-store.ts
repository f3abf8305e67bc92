import { anyOf, empty, inShardsOf, prepared, type Queries, sql } from "../../platform/db/index.ts";
import type { LogEntry, LogOf } from "../../workspaces/index.ts";

/** The most devices of one person. A push goes to each of them. One more replaces the device that was unused for longest. */
export const MOST_DEVICES = 20;

/** A device as stored. */
export interface DeviceRow {
  id: string;
  platform: "ios" | "android" | "web";
  token: string;
  app_version: string | null;
  created_at: Date;
  last_used_at: Date;
  disabled_at: Date | null;
}

/** A device as a push provider needs it. `subscription` comes from the browser, for web only. */
export interface Device {
  id: string;
  platform: DeviceRow["platform"];
  token: string;
  subscription: { endpoint: string; keys: { p256dh: string; auth: string } } | null;
  /** When the device was last registered. A 410 of APNs counts only if the time in it is later. */
  last_used_at: Date;
}

/** Returns the devices that a push goes to: `all` (the newest twenty that are not disabled), the one `last_used`, or the one with this token. */
export async function devicesFor(q: Queries, personKey: string, which: string): Promise<Device[]> {
  const rows = await q.query<Device>(
    prepared(
      "people.devicesFor",
      sql`select id, platform, token, subscription, last_used_at from devices
          where person_key = ${personKey} and disabled_at is null order by last_used_at desc, id`,
    ),
  );
  // A person with more devices from before the limit keeps them until the next one is registered.
  if (which === "all") return rows.slice(0, MOST_DEVICES);
  return which === "last_used" ? rows.slice(0, 1) : rows.filter((device) => device.token === which);
}

/** Returns the key of the person who has one of these devices. */
export async function deviceOwner(q: Queries, workspaceId: string, ids: string[]): Promise<string | undefined> {
  const [row] = await q.query<{ person_key: string }>(
    sql`select person_key from devices where workspace_id = ${workspaceId} and id = any(${ids}::uuid[])`,
  );
  return row?.person_key;
}

/** Returns the devices of these people that are not disabled, with what says which provider can reach them. */
export const tokensOf = (
  q: Queries,
  personKeys: string[],
): Promise<({ person_key: string } & Pick<Device, "platform" | "token" | "subscription">)[]> =>
  q.query(
    prepared(
      "people.tokensOf",
      sql`select person_key, platform, token, subscription from devices
        where person_key = ${anyOf(q, personKeys)} and disabled_at is null`,
    ),
  );

/** Disables devices whose token is dead. A device that is registered again is enabled again. */
export function disableDevices(tx: Queries, dead: { personKey: string; id: string }[], now: Date): Promise<number> {
  const keys = dead.map((device) => device.personKey);
  return tx.execute(sql`
    update devices d set disabled_at = ${now}
    from unnest(${keys}::uuid[], ${dead.map((device) => device.id)}::uuid[]) as t (person_key, id)
    where d.person_key = t.person_key and d.id = t.id and d.disabled_at is null ${inShardsOf(tx, "d.person_key", keys)}`);
}

export interface NewDevice {
  personKey: string;
  id: string;
  workspaceId: string;
  platform: string;
  token: string;
  subscription: unknown;
  appVersion: string | null;
}

/**
 * Lets registrations of one token, and those of one person, wait for each other: two at once would each leave the token with their person, who would
 * get the pushes of the other, or leave a person more devices than the most.
 */
export const lockRegistration = (tx: Queries, { id, personKey }: NewDevice): Promise<unknown> =>
  tx.query(sql`
    select pg_advisory_xact_lock(hashtextextended(key, 0))
    from unnest(${[id, personKey].sort()}::text[]) as t (key)`);

/** Removes the token from everybody else. */
export const removeFromOthers = (tx: Queries, { workspaceId, id, personKey }: NewDevice): Promise<number> =>
  tx.execute(sql`
    delete from devices
    where workspace_id = ${workspaceId} and id = ${id} and person_key <> ${personKey}`);

export const upsertDevice = (tx: Queries, device: NewDevice, now: Date): Promise<number> =>
  tx.execute(sql`
    insert into devices (
      person_key, id, workspace_id, platform, token,
      subscription, app_version, created_at, last_used_at)
    values (
      ${device.personKey}, ${device.id}, ${device.workspaceId}, ${device.platform}, ${device.token},
      ${device.subscription === undefined ? null : JSON.stringify(device.subscription)}, ${device.appVersion}, ${now}, ${now})
    on conflict (person_key, id) do update set
      subscription = excluded.subscription,
      last_used_at = excluded.last_used_at,
      disabled_at = null,
      app_version = coalesce(excluded.app_version, devices.app_version)`);

/** Removes the devices of a person beyond `most`: disabled ones first, then those that were unused for longest, and never `kept`. */
export const dropDevicesBeyond = (tx: Queries, personKey: string, most: number, kept?: string): Promise<number> =>
  tx.execute(sql`
    delete from devices where person_key = ${personKey} and id in (
      select id from devices where person_key = ${personKey}
      order by id is distinct from ${kept ?? null}::uuid, disabled_at is not null, last_used_at desc, id offset ${most})`);

export const deleteDevice = (tx: Queries, personKey: string, token: string): Promise<number> =>
  tx.execute(sql`delete from devices where person_key = ${personKey} and token = ${token}`);

/** Returns a page of a person's registered devices as entries of their log, the newest first. A token's registrations after the first one are none. */
export const logOfDevices: LogOf = async (q, personKey, { channel, wants, since, until, before, limit }) => {
  if (channel !== undefined || !wants("person.device_added")) return [];
  return q.query<LogEntry>(sql`
    select id, 'person.device_added' as type, created_at as at, null as source, null as source_id,
      jsonb_build_object('platform', platform) as data
    from devices where person_key = ${personKey}
      ${since === undefined ? empty : sql`and created_at >= ${since}`}
      ${until === undefined ? empty : sql`and created_at < ${until}`}
      ${before ? sql`and (created_at, id) < (${before[0]}::timestamptz, ${before[1]}::uuid)` : empty}
    order by created_at desc, id desc limit ${limit}`);
};

export const devicesOf = (q: Queries, personKey: string): Promise<DeviceRow[]> =>
  q.query(
    sql`
    select id, platform, token, app_version, created_at, last_used_at, disabled_at from devices
    where person_key = ${personKey}
    order by last_used_at desc, id`,
  );
