import { type Held, held } from "../../workspaces/index.ts";
import { dropDevicesBeyond, MOST_DEVICES } from "../devices/devices-store.ts";

const devices = held("devices", { ids: { id: "dev" } });
const people = held("people");

/** The tables of this slice with rows of people: people, their devices, and who was merged into whom. */
export const holds: Held[] = [
  {
    ...devices,
    async merge(tx, merge, shape) {
      await devices.merge(tx, merge, shape);
      await dropDevicesBeyond(tx, merge.to, MOST_DEVICES);
      return [];
    },
  },
  held("merged_people"),
  {
    ...people,
    // mergePeople copies what only the source has to the target afterwards.
    async merge(tx, { workspaceId, from }) {
      await people.erase(tx, { workspaceId, personKey: from, addresses: [] });
      return [];
    },
  },
];
