import { prepared, type Queries, sql, unquoted } from "../../platform/db/index.ts";

/** Of one person. Each is called at a push; another one takes the place of the one that was not used for longest. */
export const MOST_DEVICES = 20;

export interface DeviceRow {
  id: string;
  platform: "ios" | "android" | "web";
  token: string;
  app_version: string | null;
  created_at: Date;
  last_used_at: Date;
  disabled_at: Date | null;
}

/** A device as a push provider needs it. `subscription` is the browser's own, for web only. */
export interface Device {
  id: string;
  platform: DeviceRow["platform"];
  token: string;
  subscription: { endpoint: string; keys: { p256dh: string; auth: string } } | null;
  /** Since when we know it, as APNs asks for: its 410 counts only where it is later. */
  last_used_at: Date;
}

/**
 * The devices that a push goes to: `all` that are not disabled, the newest twenty, the one `last_used`, or the one with this token.
 */
export async function devicesFor(q: Queries, personKey: string, which: string): Promise<Device[]> {
  const rows = await q.query<Device>(
    prepared(
      "people.devicesFor",
      sql`select id, platform, token, subscription, last_used_at from devices
          where person_key = ${personKey} and disabled_at is null order by last_used_at desc, id`,
    ),
  );
  // Who had more before they were bounded keeps them until the next one is registered.
  if (which === "all") return rows.slice(0, MOST_DEVICES);
  return which === "last_used" ? rows.slice(0, 1) : rows.filter((device) => device.token === which);
}

/** Whose device this token is, in one of its workspace's platforms. */
export async function deviceOwner(q: Queries, workspaceId: string, ids: string[]): Promise<string | undefined> {
  const [row] = await q.query<{ person_key: string }>(
    sql`select person_key from devices where workspace_id = ${workspaceId} and id = any(${ids}::uuid[])`,
  );
  return row?.person_key;
}

/** The devices of these people that are not disabled, as far as it says by whom they can be reached. */
export const tokensOf = (
  q: Queries,
  personKeys: string[],
): Promise<({ person_key: string } & Pick<Device, "platform" | "token" | "subscription">)[]> =>
  q.query(
    prepared(
      "people.tokensOf",
      sql`select person_key, platform, token, subscription from devices
        where person_key = any((select ${unquoted(personKeys)}::uuid[])::uuid[]) and disabled_at is null`,
    ),
  );

/** Takes dead tokens out of use. Registering one again revives it. */
export const disableDevices = (tx: Queries, dead: { personKey: string; id: string }[], now: Date): Promise<number> =>
  tx.execute(sql`
    update devices d set disabled_at = ${now}
    from unnest(${dead.map((device) => device.personKey)}::uuid[], ${dead.map((device) => device.id)}::uuid[]) as t (person_key, id)
    where d.person_key = t.person_key and d.id = t.id and d.disabled_at is null`);

export interface NewDevice {
  personKey: string;
  id: string;
  workspaceId: string;
  platform: string;
  token: string;
  subscription: unknown;
  appVersion: string | null;
}

/** Takes the token away from everybody else. */
export const takeOver = (tx: Queries, device: NewDevice): Promise<number> =>
  tx.execute(
    sql`delete from devices where workspace_id = ${device.workspaceId} and id = ${device.id} and person_key <> ${device.personKey}`,
  );

export const upsertDevice = (tx: Queries, device: NewDevice, now: Date): Promise<number> =>
  tx.execute(sql`
    insert into devices (person_key, id, workspace_id, platform, token, subscription, app_version, created_at, last_used_at)
    values (${device.personKey}, ${device.id}, ${device.workspaceId}, ${device.platform}, ${device.token},
      ${device.subscription === undefined ? null : JSON.stringify(device.subscription)}, ${device.appVersion}, ${now}, ${now})
    on conflict (person_key, id) do update set subscription = excluded.subscription, last_used_at = excluded.last_used_at,
      disabled_at = null,
      app_version = coalesce(excluded.app_version, devices.app_version)`);

/** Forgets the devices of a person beyond the newest `most`: dead ones first, then those that were not used for longest. Never `kept`. */
export const dropDevicesBeyond = (tx: Queries, personKey: string, most: number, kept?: string): Promise<number> =>
  tx.execute(sql`
    delete from devices where person_key = ${personKey} and id in (
      select id from devices where person_key = ${personKey}
      order by id is distinct from ${kept ?? null}::uuid, disabled_at is not null, last_used_at desc, id offset ${most})`);

export const deleteDevice = (tx: Queries, personKey: string, token: string): Promise<number> =>
  tx.execute(sql`delete from devices where person_key = ${personKey} and token = ${token}`);

export const devicesOf = (q: Queries, personKey: string): Promise<DeviceRow[]> =>
  q.query(
    sql`select id, platform, token, app_version, created_at, last_used_at, disabled_at from devices where person_key = ${personKey} order by last_used_at desc, id`,
  );
