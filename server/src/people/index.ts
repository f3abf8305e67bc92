// FACTS: who the people are, their attributes, and the devices that they use.
import type { ConnectedGround, Slice } from "../workspaces/index.ts";
import { logOfDevices } from "./devices/devices-store.ts";
import { holds } from "./holdings/holds.ts";
import { jobs } from "./holdings/late.ts";
import { product } from "./product.ts";

export { personKey } from "../workspaces/index.ts";
export { ownerOfToken, registerDevice } from "./devices/devices.ts";
export { type Device, deleteDevice, devicesFor, devicesOf, disableDevices, tokensOf } from "./devices/devices-store.ts";
export { isPushEndpoint } from "./devices/push-services.ts";
export { deviceRoutes } from "./gateway.ts";
export { erasePerson } from "./holdings/erase.ts";
export { lateMerges, lateSince, mergeLate } from "./holdings/late.ts";
export { mergePeople, mergesSince, whoStayed } from "./holdings/merge.ts";
export { mergedInto, preventMerges } from "./holdings/merge-store.ts";
export { describePerson } from "./product.ts";
export { normalEmail, normalPhone, readAttributes } from "./profile/attributes.ts";
export { PEOPLE_CHANGED, type PersonChanged } from "./profile/changed.ts";
export {
  ambiguous,
  findNamed,
  findPeople,
  findPeopleByKeys,
  findPersonByKey,
  findStatesByKeys,
  isShared,
  lockPeopleByKeys,
  type Lookup,
  personView,
  type Shared,
  viewOf,
} from "./profile/find.ts";
export { createMissing, createUnlessErased, type Identity, identifyPeople } from "./profile/identify.ts";
export { missingAttributes } from "./profile/list-store.ts";
export {
  countNewPeople,
  type NamedPerson,
  newPeopleLimit,
  newPeopleWindows,
  refusedNewPeople,
} from "./profile/newcomers.ts";
export { isPersonId } from "./profile/person-id.ts";
export { idsByEmail, keysOfHolders, type Sharer, sharersOf } from "./profile/sharing-store.ts";
export { attested } from "./profile/standing.ts";
export type { Person, Profile } from "./profile/store.ts";
export { withChange } from "./profile/with-change.ts";
export { type Choice, choose } from "./profile/subscribe.ts";

/** The parts of this slice for the roof. */
export const slice: Slice<ConnectedGround> = { name: "people", product, jobs, holds, logOf: logOfDevices };

declare module "../platform/ids.ts" {
  interface Prefixes {
    dev: true;
  }
}
