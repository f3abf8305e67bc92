import { useQuery } from "@tanstack/react-query";
import type { Preflight } from "@tidings/contract/messages/sendings";
import type { Read } from "../../platform/call/call.ts";
import { useWorkspace } from "../../platform/call/workspace.ts";
import { type Broadcast, pathOf } from "../broadcast.ts";

/** Counts who would get it. It reads the whole audience, so it is counted again on request only, and for another version. */
export function usePreflight({ body: { id }, etag }: Read<Broadcast>) {
  const { id: workspace, call } = useWorkspace();
  const path = `${pathOf(id)}/preflight`;
  return useQuery({
    // Not below the path of the broadcast: what happens elsewhere would count a million people again and again.
    queryKey: [workspace, `/preflight/${id}`, etag],
    queryFn: async ({ signal }) => (await call<Preflight>("POST", path, { signal })).body,
    staleTime: 60_000,
    refetchOnWindowFocus: false,
  });
}
