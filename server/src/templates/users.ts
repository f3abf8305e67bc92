import { encodeId } from "../platform/ids.ts";
import type { Users } from "../workspaces/index.ts";
import { partsSaying } from "./parts-store.ts";
import { templatesSaying } from "./store.ts";

const PARTS = { lay: "email_layout", snp: "snippet" } as const;

/** Returns the templates, layouts and snippets that show an image. */
export const imageUsers: Users["image"] = async (q, workspaceId, text) => [
  ...(await templatesSaying(q, workspaceId, text)).map(({ id, name }) => ({
    type: "email_template" as const,
    id: encodeId("tpl", id),
    name,
  })),
  ...(await partsSaying(q, workspaceId, text)).map(({ prefix, id, name }) => ({
    type: PARTS[prefix],
    id: encodeId(prefix, id),
    name,
  })),
];
