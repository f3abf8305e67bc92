import { encodeId } from "../../platform/ids.ts";
import type { Users } from "../../workspaces/index.ts";
import { messagesSaying } from "./definition-store.ts";

/** Returns the in-app messages that show an image. */
export const imageUsers: Users["image"] = async (q, workspaceId, text) =>
  (await messagesSaying(q, workspaceId, text)).map(({ id, name }) => ({
    type: "in_app_message",
    id: encodeId("msg", id),
    name,
  }));
