import { type Held, held } from "../../workspaces/index.ts";
import { mergeCaps } from "./caps-store.ts";
import { mergeCounts } from "./counts-store.ts";

/** How often people were shown messages. Of two people who are one now, both count. */
export const holds: Held[] = [
  held("in_app_caps", {
    async merge(tx, { from, to }) {
      await mergeCaps(tx, from, to);
      return [];
    },
  }),
  held("in_app_counts", {
    ids: { message_id: "msg" },
    async merge(tx, { from, to }) {
      await mergeCounts(tx, from, to);
      return [];
    },
  }),
];
