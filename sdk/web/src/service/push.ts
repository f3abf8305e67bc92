import type { Calls } from "./calls.ts";
import type { Environment, Store } from "../browser/environment.ts";

export interface PushOptions {
  applicationServerKey: string;
  serviceWorkerUrl: string;
}

interface Device {
  env: Environment;
  calls: Calls;
  store: Store;
  scope: string;
  personId: string;
}

const keyOf = ({ scope }: Device): string => `${scope}push`;

/** Asks for permission, registers the browser for this person and stores the endpoint, which logout needs. */
export async function registerWebPush(
  device: Device,
  { serviceWorkerUrl, applicationServerKey }: PushOptions,
): Promise<boolean> {
  const { env, calls, store, personId } = device;
  const subscription = await env.subscribePush(serviceWorkerUrl, applicationServerKey);
  if (!subscription) return false;
  await calls.send({
    method: "PUT",
    path: "devices",
    body: JSON.stringify({ person_id: personId, platform: "web", subscription }),
  });
  store.set(keyOf(device), subscription.endpoint);
  return true;
}

/** Removes the registration: the next user of this browser must not get messages for this person. */
export async function forgetWebPush(device: Device): Promise<void> {
  const { env, calls, store, personId } = device;
  const token = store.get(keyOf(device));
  if (token === null) return;
  store.remove(keyOf(device));
  const body = JSON.stringify({ person_id: personId, token });
  // The browser unsubscribes even where the service can't be reached; the next push then fails, and the service learns it so.
  await Promise.all([env.unsubscribePush(), calls.send({ method: "DELETE", path: "devices", body })]);
}
