import type { CustomerioDevice, CustomerioEvent } from "@tidings/contract/compat";
import { Track } from "@tidings/contract/facts/ingest";
import { DeviceInput, Identify } from "@tidings/contract/facts/people";
import { type Fact, identifyFact, type Intake, mergeInto, type Outcome, trackFact } from "../../ingest/index.ts";
import { deleteDevice, erasePerson, newPeopleLimit, personKey, registerDevice } from "../../people/index.ts";
import type { Ground } from "../../platform/ground.ts";
import { badField, checkShape } from "../../platform/http/index.ts";
import { suppress, type Target as SuppressionTarget, unsuppress } from "../../subscriptions/index.ts";
import { type Caller, type ConnectedGround, VERIFIED, type Vouch, type Workspace } from "../../workspaces/index.ts";
import { attributesOf } from "./attributes.ts";
import type { Target } from "./who.ts";

// The operations of both versions of Customer.io's track API. Each calls a verb of Tidings.

const checkIdentify = checkShape(Identify);
const checkTrack = checkShape(Track);
const checkDevice = checkShape(DeviceInput);

/** The caller of an operation, and how far it is believed about addresses. */
export interface Reporter {
  caller: Caller;
  vouch: Vouch;
}

/** Identifies a person. With `_update` it changes only a person who exists. @throws Problem as identifyFact */
export async function identify(
  intake: Intake,
  { caller, vouch }: Reporter,
  who: Target,
  { data, timestamp }: { data: Record<string, unknown>; timestamp?: number | undefined },
): Promise<void> {
  if (data._update === true && !who.person) return;
  const attributes = { ...(who.email !== undefined && { email: who.email }), ...attributesOf(data) };
  await intake.store(
    identifyFact(caller.workspace, checkIdentify({ person_id: who.personId, attributes, ...timeOf(timestamp) }), vouch),
    caller,
  );
}

/** Records an event. `id` is the id of the event if the client sends none: it is the same for marked repeats of the call. @throws Problem as trackFact */
export async function track(
  intake: Intake,
  { caller, vouch }: Reporter,
  who: Target,
  { event, id }: { event: CustomerioEvent; id: string },
): Promise<Outcome[]> {
  const { workspace } = caller;
  if (who.email !== undefined) {
    await intake.store(
      identifyFact(workspace, { person_id: who.personId, attributes: { email: who.email } }, vouch),
      caller,
    );
  }
  const outcomes: Outcome[] = [];
  for (const fact of factsOf(workspace, who.personId, event, id)) outcomes.push(await intake.store(fact, caller));
  return outcomes;
}

const timeOf = (seconds: number | undefined) =>
  seconds === undefined ? {} : { ts: new Date(seconds * 1000).toISOString() };

/** Returns the facts of an event. A page view is an event; a screen view is an event and an entry for the catalog of screens. */
function factsOf(workspace: Workspace, personId: string, event: CustomerioEvent, id: string): Fact[] {
  const data = event.data ?? {};
  const common = {
    person_id: personId,
    event_id: event.id ?? id,
    ...timeOf(event.timestamp),
  };
  const fact = (eventName: string, properties: Record<string, unknown>): Fact =>
    trackFact(workspace, checkTrack({ ...common, eventName, properties }));
  if (event.type === "page") return [fact("page_viewed", { ...data, page: event.name })];
  if (event.type !== "screen") return [fact(event.name, data)];
  return [fact("screen_viewed", { ...data, screen: event.name }), fact("screen_view", { screen: event.name })];
}

/** Registers a device. @throws Problem as registerDevice */
export async function addDevice(
  ground: Ground,
  caller: Caller,
  who: Target,
  { device }: CustomerioDevice,
): Promise<void> {
  const platform = device.platform.toLowerCase();
  if (!["ios", "android", "web"].includes(platform)) throw badField("/device/platform", "must be ios, android or web");
  const version = device.attributes?.app_version ?? device.attributes?.cio_app_version;
  const input = checkDevice({
    person_id: who.personId,
    platform,
    token: device.id,
    ...(typeof version === "string" && { app_version: version }),
  });
  await ground.db.transaction((tx) =>
    registerDevice(tx, ground, newPeopleLimit(caller), { input, now: ground.clock.now() }),
  );
}

/** Removes a device of the person. */
export async function removeDevice(ground: Ground, workspace: Workspace, who: Target, token: string): Promise<void> {
  await deleteDevice(ground.db, personKey(workspace.id, who.personId), token);
}

/** Erases the person, if there is such a person. */
export async function erase(ground: ConnectedGround, workspace: Workspace, who: Target): Promise<void> {
  const whom = { workspaceId: workspace.id, personId: who.personId, now: ground.clock.now() };
  await erasePerson(ground, whom);
}

/** Merges two people: the primary one stays. @throws Problem same_person, person_not_found, person_busy */
export async function merge(
  ground: ConnectedGround,
  workspace: Workspace,
  primary: Target,
  secondary: Target,
): Promise<void> {
  await mergeInto(ground, workspace, { from: secondary.personId, into: primary.personId });
}

/** Suppresses a person: puts the addresses on the suppression list, and unsubscribes the person, which also stops pushes. */
export async function suppressPerson(ground: Ground, intake: Intake, caller: Caller, who: Target): Promise<void> {
  const { workspace } = caller;
  const entries = addressesOf(workspace, who).map((address) => ({
    ...address,
    reason: "manual" as const,
    source: "api",
  }));
  await intake.store(subscribedFact(workspace, who, false), caller);
  await ground.db.transaction((tx) => suppress(tx, entries, ground.clock.now()));
}

/** Ends the suppression. The person is subscribed afterwards in any case, because in Customer.io a suppressed person comes back as a new one. */
export async function unsuppressPerson(ground: Ground, intake: Intake, caller: Caller, who: Target): Promise<void> {
  const { workspace } = caller;
  await ground.db.transaction((tx) => unsuppress(tx, addressesOf(workspace, who), ground.clock.now()));
  if (who.person) await intake.store(subscribedFact(workspace, who, true), caller);
}

const subscribedFact = (workspace: Workspace, who: Target, subscribed: boolean): Fact =>
  identifyFact(
    workspace,
    { person_id: who.personId, attributes: { ...(who.email !== undefined && { email: who.email }), subscribed } },
    VERIFIED,
  );

function addressesOf({ id: workspaceId }: Workspace, { person, email: fresh }: Target): SuppressionTarget[] {
  const email = person?.email ?? fresh;
  const phone = person?.phone;
  return [
    ...(email ? [{ workspaceId, channel: "email" as const, address: email }] : []),
    ...(phone ? [{ workspaceId, channel: "sms" as const, address: phone }] : []),
  ];
}
