import type { CampaignStatus } from "@tidings/contract/campaigns/campaigns";
import { statusAfterMove } from "../../platform/resources/status.ts";

/*
 * The statuses of a campaign.
 *
 *   draft --activate--> active --pause--> paused
 *                       |  ^ ^               |
 *                       |  | +----resume-----+
 *                       |  +-----activate----+      publishes the draft, and resumes
 *                       +--archive--> archived <--archive-- paused
 *
 * A change of an active campaign changes its draft: people enter the published version until the campaign is activated again.
 * Archived is final: nobody enters, and active runs are canceled. A draft and an archived campaign can be removed.
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

const PARTICIPLES: Record<Move, string> = {
  edit: "changed",
  activate: "activated",
  pause: "paused",
  resume: "resumed",
  archive: "archived",
  remove: "removed",
};

/** Returns the status after a move. @throws Problem wrong_status that names the statuses in which the move is possible */
export const nextStatus = (status: CampaignStatus, move: Move): CampaignStatus =>
  statusAfterMove({ noun: "campaign", moves: MOVES, participles: PARTICIPLES }, status, move);
