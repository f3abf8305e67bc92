import { decodeId, encodeId } from "../../platform/ids.ts";
import type { ProgressOf, Users } from "../../workspaces/index.ts";
import { byId, saying, using } from "./store.ts";

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

/** Says that runs of a campaign moved on. How many there are where, its metrics tell. */
export const progressOf: ProgressOf = async (q, workspaceId, text) => {
  const id = decodeId("cmp", text);
  const row = id && (await byId(q, workspaceId, id));
  return row ? { type: "campaigns", id: text, status: row.status, progress: null } : undefined;
};
