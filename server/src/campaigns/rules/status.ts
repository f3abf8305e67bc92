import type { CampaignStatus } from "@tidings/contract/campaigns/campaigns";
import { Problem } from "../../platform/http/index.ts";

/*
 * The life of a campaign.
 *
 *   draft --activate--> active --pause--> paused
 *                       |  ^ ^               |
 *                       |  | +----resume-----+
 *                       |  +-----activate----+      publishes what was changed, and goes on
 *                       +--archive--> archived <--archive-- paused
 *
 * An active campaign is changed as a draft: people enter and pass what was published last, until it is activated again.
 * Archived is an end: nobody enters, and those inside are canceled. A draft and an archived campaign can be removed.
 */

type Move = "edit" | "activate" | "pause" | "resume" | "archive" | "remove";

const MOVES: Record<Move, Partial<Record<CampaignStatus, CampaignStatus>>> = {
  edit: { draft: "draft", active: "active", paused: "paused" },
  activate: { draft: "active", active: "active", paused: "active" },
  pause: { active: "paused" },
  resume: { paused: "active" },
  archive: { active: "archived", paused: "archived" },
  remove: { draft: "draft", archived: "archived" },
};

const DONE: Record<Move, string> = {
  edit: "changed",
  activate: "activated",
  pause: "paused",
  resume: "resumed",
  archive: "archived",
  remove: "removed",
};

/** The status after a move. @throws Problem wrong_status that names the statuses in which it is possible */
export function moved(status: CampaignStatus, move: Move): CampaignStatus {
  const next = MOVES[move][status];
  if (next !== undefined) return next;
  const possible = Object.keys(MOVES[move]).join(", ");
  throw new Problem("wrong_status", `A campaign that is ${status} can't be ${DONE[move]}: it must be ${possible}.`, {
    extra: { current: status },
  });
}
