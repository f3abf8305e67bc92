import { type Held, held, TURNS } from "../../workspaces/index.ts";
import { lockCaps, mergeCaps } from "./caps-store.ts";
import { lockCounts, mergeCounts } from "./counts-store.ts";

/** How often people were shown messages. Of two people who are one now, both count. */
export const holds: Held[] = [
  held("in_app_caps", {
    lockedFirst: TURNS.counts,
    async hold(tx, { from, to }) {
      await lockCaps(tx, [from, to]);
      return true;
    },
    async merge(tx, { from, to }) {
      await mergeCaps(tx, from, to);
      return [];
    },
  }),
  held("in_app_counts", {
    ids: { message_id: "msg" },
    lockedFirst: TURNS.counts,
    async hold(tx, { from, to }) {
      await lockCounts(tx, [from, to]);
      return true;
    },
    async merge(tx, { from, to }) {
      await mergeCounts(tx, from, to);
      return [];
    },
  }),
];
