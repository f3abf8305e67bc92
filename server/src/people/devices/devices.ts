import type { DeviceInput } from "@tidings/contract/facts/people";
import type { Queries, Tx } from "../../platform/db/index.ts";
import type { Ground } from "../../platform/ground.ts";
import { badField, Problem } from "../../platform/http/index.ts";
import { derivedId } from "../../platform/ids.ts";
import { personKey } from "../../workspaces/index.ts";
import { createUnlessErased } from "../profile/identify.ts";
import { countMade, type Named, turnedAway } from "../profile/newcomers.ts";
import { deviceOwner, dropDevicesBeyond, MOST_DEVICES, takeOver, upsertDevice } from "./devices-store.ts";
import { isPushEndpoint } from "./push-services.ts";

/**
 * Registers a device, or renews it. A token belongs to one person: the one who registered it last. Gives the device's id.
 * @throws Problem person_erased, rate_limited, invalid_request for a subscription at no known push service
 */
export async function registerDevice(
  tx: Tx,
  { config, newPeople }: Pick<Ground, "config" | "newPeople">,
  { workspaceId, most }: Omit<Named, "personId">,
  input: DeviceInput,
  now: Date,
): Promise<string> {
  const token = input.platform === "web" ? (input.subscription?.endpoint ?? input.token) : input.token;
  if (token === undefined)
    throw badField(input.platform === "web" ? "/subscription" : "/token", "is required for this platform");
  if (input.subscription && !isPushEndpoint(input.subscription.endpoint, config.webPushHosts))
    throw badField(
      "/subscription/endpoint",
      "is at no known push service of a browser. Give the subscription as the browser made it; the operator can add hosts with WEB_PUSH_HOSTS",
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
  const person = { workspaceId, personId: input.person_id, most };
  const away = (await turnedAway(tx, newPeople, [person])).get(key);
  if (away) throw away;
  const { erased, made } = await createUnlessErased(tx, [person], now);
  if (erased.size > 0)
    throw new Problem("person_erased", "This person was erased. To bring them back on purpose, identify them first.");
  if (most !== undefined) countMade(newPeople, workspaceId, made.size);
  await takeOver(tx, device);
  await upsertDevice(tx, device, now);
  await dropDevicesBeyond(tx, key, MOST_DEVICES, id);
  return id;
}

const PLATFORMS = ["ios", "android", "web"] as const;

/** The key of the person who has this device token, whatever its platform. */
export const ownerOfToken = (q: Queries, workspaceId: string, token: string): Promise<string | undefined> =>
  deviceOwner(
    q,
    workspaceId,
    PLATFORMS.map((platform) => derivedId(workspaceId, platform, token)),
  );
