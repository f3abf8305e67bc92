import { type Held, held, TURNS } from "../../workspaces/index.ts";
import { lockCaps, mergeCaps } from "./caps-store.ts";
import { lockCounts, mergeCounts } from "./counts-store.ts";

/** How often people were shown messages. Of two people who are one now, both count. */
export const holds: Held[] = [
  held("in_app_caps", {
    lockedFirst: TURNS.counts,
    hold: lockCaps,
    combine: (tx, { from, to }) => mergeCaps(tx, from, to),
  }),
  held("in_app_counts", {
    ids: { message_id: "msg" },
    lockedFirst: TURNS.counts,
    hold: lockCounts,
    combine: (tx, { from, to }) => mergeCounts(tx, from, to),
  }),
];
