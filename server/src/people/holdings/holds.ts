import { type Held, held } from "../../workspaces/index.ts";
import { dropDevicesBeyond, MOST_DEVICES } from "../devices/devices-store.ts";

const people = held("people");

/** The tables of this slice with rows of people: people, their devices, and who was merged into whom. */
export const holds: Held[] = [
  held("devices", { ids: { id: "dev" }, afterMerge: (tx, { to }) => dropDevicesBeyond(tx, to, MOST_DEVICES) }),
  held("merged_people"),
  {
    ...people,
    // mergePeople copies what only the source has to the target afterwards.
    combine: (tx, { workspaceId, from }) => people.erase(tx, { workspaceId, personKey: from, addresses: [] }),
  },
];
