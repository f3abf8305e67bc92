import { decodeId, encodeId } from "../../platform/ids.ts";
import type { ProgressOf, TasksOf, Users } from "../../workspaces/index.ts";
import { progressIn } from "../rules/progress.ts";
import { byId, type CampaignRow, saying, using, working } from "./store.ts";

/** Returns the campaigns that use a resource. Other slices ask before they change or remove it. */
export const users: Users = {
  audience: async (q, workspaceId, id) =>
    (await using(q, workspaceId, encodeId("aud", id))).map((row) => ({
      type: "campaign",
      id: encodeId("cmp", row.id),
      name: row.name,
    })),
  template: async (q, workspaceId, id) =>
    (await using(q, workspaceId, encodeId("tpl", id))).map(({ name }) => ({ source: "campaign", name })),
  message: async (q, workspaceId, id) =>
    (await using(q, workspaceId, encodeId("msg", id))).map((row) => ({
      type: "campaign",
      id: encodeId("cmp", row.id),
      name: row.name,
    })),
  image: async (q, workspaceId, text) =>
    (await saying(q, workspaceId, text)).map(({ id, name }) => ({ type: "campaign", id: encodeId("cmp", id), name })),
  topic: async (q, workspaceId, id) => (await using(q, workspaceId, encodeId("top", id))).map(({ name }) => name),
};

/** Says that runs of a campaign moved on, and how far the engine is with what an activation or an archive left to it. */
export const progressOf: ProgressOf = async (q, workspaceId, text, now) => {
  const id = decodeId("cmp", text);
  const row = id && (await byId(q, workspaceId, id));
  return row ? liveOf(row, now) : undefined;
};

/** The most campaigns that are listed as tasks. */
const MOST_TASKS = 20;

/** Lists the campaigns in which the engine moves or ends the people inside. */
export const tasksOf: TasksOf = async (q, workspaceId, now) =>
  (await working(q, workspaceId, MOST_TASKS)).map((row) => ({
    ...liveOf(row, now),
    name: row.name,
    target: null,
    started_at: row.work_since?.toISOString() ?? null,
  }));

const liveOf = (row: Omit<CampaignRow, "definition">, now: Date) => ({
  type: "campaigns" as const,
  id: encodeId("cmp", row.id),
  status: row.status,
  progress: progressIn(row, now),
});
