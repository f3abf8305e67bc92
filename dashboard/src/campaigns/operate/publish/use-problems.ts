import { useQuery } from "@tanstack/react-query";
import type { CampaignProblem } from "@tidings/contract/campaigns/campaigns";
import { useWorkspace } from "../../../platform/call/workspace.ts";

/** Asks what prevents the activation of the saved draft. */
export function useProblems(id: string) {
  const { id: workspace, call } = useWorkspace();
  return useQuery({
    queryKey: [workspace, `/campaigns/${id}/validate`],
    queryFn: async ({ signal }) =>
      (await call<{ problems: CampaignProblem[] }>("POST", `/campaigns/${id}/validate`, { signal })).body.problems,
    // Templates and audiences that it uses may have changed since.
    staleTime: 0,
    gcTime: 0,
  });
}
