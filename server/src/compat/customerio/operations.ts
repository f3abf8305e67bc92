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

// What Customer.io's track API does, in both of its versions: each of these is one of our own verbs.

const checkIdentify = checkShape(Identify);
const checkTrack = checkShape(Track);
const checkDevice = checkShape(DeviceInput);

/** Who tells us something, and what their word about addresses is worth. */
export interface Teller {
  caller: Caller;
  vouch: Vouch;
}

/** `_update`: only where the person is known. @throws Problem */
export async function identify(
  intake: Intake,
  { caller, vouch }: Teller,
  who: Target,
  data: Record<string, unknown>,
  timestamp?: number,
): Promise<void> {
  if (data._update === true && !who.person) return;
  const attributes = { ...(who.email !== undefined && { email: who.email }), ...attributesOf(data) };
  await intake.store(
    identifyFact(caller.workspace, checkIdentify({ person_id: who.personId, attributes, ...timeOf(timestamp) }), vouch),
    caller,
  );
}

/** `name` is how the event and its marked repeats are known; a client's own id goes before it. Gives what became of it. @throws Problem */
export async function track(
  intake: Intake,
  { caller, vouch }: Teller,
  who: Target,
  event: CustomerioEvent,
  name: string,
): Promise<Outcome[]> {
  const { workspace } = caller;
  if (who.email !== undefined) {
    await intake.store(
      identifyFact(workspace, { person_id: who.personId, attributes: { email: who.email } }, vouch),
      caller,
    );
  }
  const outcomes: Outcome[] = [];
  for (const fact of factsOf(workspace, who.personId, event, name)) outcomes.push(await intake.store(fact, caller));
  return outcomes;
}

const timeOf = (seconds: number | undefined) =>
  seconds === undefined ? {} : { ts: new Date(seconds * 1000).toISOString() };

/** A page view is an event; a screen view is one, too, and feeds the catalog of screens. */
function factsOf(workspace: Workspace, personId: string, event: CustomerioEvent, name: string): Fact[] {
  const data = event.data ?? {};
  const common = {
    person_id: personId,
    event_id: event.id ?? name,
    ...timeOf(event.timestamp),
  };
  const fact = (eventName: string, properties: Record<string, unknown>): Fact =>
    trackFact(workspace, checkTrack({ ...common, eventName, properties }));
  if (event.type === "page") return [fact("page_viewed", { ...data, page: event.name })];
  if (event.type !== "screen") return [fact(event.name, data)];
  return [fact("screen_viewed", { ...data, screen: event.name }), fact("screen_view", { screen: event.name })];
}

/** @throws Problem */
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

export async function removeDevice(ground: Ground, workspace: Workspace, who: Target, token: string): Promise<void> {
  await deleteDevice(ground.db, personKey(workspace.id, who.personId), token);
}

export async function erase(ground: ConnectedGround, workspace: Workspace, who: Target): Promise<void> {
  await ground.db.transaction((tx) =>
    erasePerson(tx, ground, { workspaceId: workspace.id, personId: who.personId, now: ground.clock.now() }),
  );
}

/** The primary stays. @throws Problem same_person, person_not_found, person_busy */
export async function merge(
  ground: ConnectedGround,
  workspace: Workspace,
  primary: Target,
  secondary: Target,
): Promise<void> {
  await mergeInto(ground, workspace, secondary.personId, primary.personId);
}

/** Nothing reaches a suppressed person: the addresses are on the suppression list, and for push the person is unsubscribed. */
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

/** As theirs, whose suppressed people come back as new ones: subscribed, whatever they were before. */
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
