import type { DeviceInput } from "@tidings/contract/facts/people";
import type { Queries, Tx } from "../../platform/db/index.ts";
import type { Ground } from "../../platform/ground.ts";
import { badField, Problem } from "../../platform/http/index.ts";
import { derivedId } from "../../platform/ids.ts";
import { personKey } from "../../workspaces/index.ts";
import { createUnlessErased } from "../profile/identify.ts";
import { countNewPeople, type NewPeopleLimit, refusedNewPeople } from "../profile/newcomers.ts";
import {
  deviceOwner,
  dropDevicesBeyond,
  lockRegistration,
  MOST_DEVICES,
  removeFromOthers,
  upsertDevice,
} from "./devices-store.ts";
import { isPushEndpoint } from "./push-services.ts";

/**
 * Registers a device, or renews it. A token belongs to the person who registered it last. Returns the device's id.
 * @throws Problem person_erased, rate_limited, invalid_request for a subscription of an unknown push service
 */
export async function registerDevice(
  tx: Tx,
  { config, newPeople }: Pick<Ground, "config" | "newPeople">,
  { workspaceId, limit }: NewPeopleLimit,
  { input, now }: { input: DeviceInput; now: Date },
): Promise<string> {
  const token = input.platform === "web" ? (input.subscription?.endpoint ?? input.token) : input.token;
  if (token === undefined)
    throw badField(input.platform === "web" ? "/subscription" : "/token", "is required for this platform");
  if (input.subscription && !isPushEndpoint(input.subscription.endpoint, config.webPushHosts))
    throw badField(
      "/subscription/endpoint",
      "is not of a browser's push service. Send the subscription as the browser returned it; the operator can add hosts with WEB_PUSH_HOSTS",
    );
  const key = personKey(workspaceId, input.person_id);
  const id = derivedId(workspaceId, input.platform, token);
  const device = {
    personKey: key,
    id,
    workspaceId,
    platform: input.platform,
    token,
    subscription: input.platform === "web" ? input.subscription : undefined,
    appVersion: input.app_version ?? null,
  };
  const person = { workspaceId, personId: input.person_id, personKey: key, limit };
  const refused = (await refusedNewPeople(tx, newPeople, [person])).get(key);
  if (refused) throw refused;
  const { erased, made } = await createUnlessErased(tx, [person], now);
  if (erased.size > 0)
    throw new Problem(
      "person_erased",
      "This person was erased. To bring the person back on purpose, identify the person first.",
    );
  if (limit !== undefined) countNewPeople(newPeople, workspaceId, made.size);
  // All are sent together: the second begins when the first has its locks, and sees what was registered until then.
  await Promise.all([lockRegistration(tx, device), removeFromOthers(tx, device), upsertDevice(tx, device, now)]);
  await dropDevicesBeyond(tx, key, MOST_DEVICES, id);
  return id;
}

const PLATFORMS = ["ios", "android", "web"] as const;

/** Returns the key of the person who has this device token, on any platform. */
export const ownerOfToken = (q: Queries, workspaceId: string, token: string): Promise<string | undefined> =>
  deviceOwner(
    q,
    workspaceId,
    PLATFORMS.map((platform) => derivedId(workspaceId, platform, token)),
  );
