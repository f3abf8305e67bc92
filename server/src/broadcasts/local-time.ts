import { instantOfWall, wallOf } from "../platform/time/wall-clock.ts";
import { isZone } from "../platform/time/zones.ts";

// "At nine, each in their own zone." `send_at` is an instant; what counts is what the clocks of the workspace's zone show
// then, and each person is due when the clocks of their own zone show the same. Who has no zone that we know is due at
// `send_at` itself.

/** Clocks are nowhere further ahead than on Kiritimati, at UTC+14. */
const FIRST = "Pacific/Kiritimati";

/** When the first people anywhere are due: sending starts, and the audience is fixed. */
export const firstDue = (sendAt: Date, workspaceZone: string): Date => dueIn(FIRST, sendAt, workspaceZone);

/** And nowhere further behind than at sea, at UTC-12. */
const LAST = "Etc/GMT+12";

/** When the last people anywhere are due. */
export const lastDue = (sendAt: Date, workspaceZone: string): Date => dueIn(LAST, sendAt, workspaceZone);

/** When a person is due. Where that has passed already, at once. */
export function dueIn(zone: string | null, sendAt: Date, workspaceZone: string): Date {
  if (zone === null || !isZone(zone)) return sendAt;
  return instantOfWall(wallOf(sendAt, isZone(workspaceZone) ? workspaceZone : "UTC"), zone);
}
