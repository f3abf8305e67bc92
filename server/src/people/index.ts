// Storey 1, FACTS: who the people are, what is known of them, and the devices they use.
export { personKey } from "../workspaces/index.ts";
export { normalEmail, normalPhone, readAttributes } from "./attributes.ts";
export { ownerOfToken, registerDevice } from "./devices.ts";
export { isPushEndpoint } from "./push-services.ts";
export { type Device, deleteDevice, devicesFor, devicesOf, disableDevices, tokensOf } from "./devices-store.ts";
export { erasePerson, jobs, LOOK_AGAIN } from "./erase.ts";
export {
  ambiguous,
  findNamed,
  findPeople,
  findPeopleByKeys,
  findPersonByKey,
  findStatesByKeys,
  isShared,
  type Lookup,
  personView,
  type Shared,
  viewOf,
} from "./find.ts";
export { gateway } from "./gateway.ts";
export { createMissing, createUnlessErased, type Identity, identifyPeople } from "./identify.ts";
export { isPersonId } from "./person-id.ts";
export { mergePeople, mergesSince } from "./merge.ts";
export { missingAttributes } from "./missing-store.ts";
export { countMade, makerOf, mostNew, type Named, newPeopleWindows, turnedAway } from "./newcomers.ts";
export { describePerson, product } from "./product.ts";
export { type Choice, choose } from "./subscribe.ts";
export type { Person, Profile } from "./store.ts";
export { idsByEmail, keysOfHolders, type Sharer, sharersOf } from "./sharing-store.ts";
export { attested } from "./standing.ts";
