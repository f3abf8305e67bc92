import type { Read } from "../../platform/call/call.ts";
import { keepVersion, queries } from "../../platform/call/queries.ts";
import { useWorkspace } from "../../platform/call/workspace.ts";
import { type Broadcast, pathOf } from "../broadcast.ts";

/** Returns the function that moves a broadcast to another status. The move names the version that is on the screen. */
export function useMove({ body: { id }, etag }: Read<Broadcast>) {
  const { id: workspace, call } = useWorkspace();
  return async (move: "send" | "schedule" | "pause" | "resume" | "cancel", body?: object): Promise<void> => {
    const headers = etag ? { "if-match": etag } : {};
    const after = await call<Broadcast>("POST", `${pathOf(id)}/${move}`, { headers, ...(body && { body }) });
    keepVersion(workspace, pathOf(id), after);
    void queries.invalidateQueries({ queryKey: [workspace, "/broadcasts"] });
  };
}
