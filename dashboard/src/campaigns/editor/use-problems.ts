import { useQuery } from "@tanstack/react-query";
import type { CampaignProblem } from "@tidings/contract/campaigns/campaigns";
import { useCallback, useDeferredValue, useMemo } from "react";
import { useWorkspace } from "../../platform/call/workspace.ts";
import { useTexts } from "../../platform/language/texts.ts";
import type { Campaign } from "../campaign-shape.ts";
import { type Problem, problemsHere, problemsRefused, problemsThere, withoutRepeats } from "../model/problems.ts";
import { problemTexts } from "../words/problem-texts.ts";
import { problemOf } from "../words/problem-words.ts";
import type { DraftEdit } from "./use-draft.ts";

export interface Problems {
  all: Problem[];
  /** Of a step; null asks for those of the start and of the campaign as a whole. */
  of(stepId: string | null): Problem[];
  count(stepId: string | null): number;
}

/** Finds what is wrong: at once what the draft shows, and what the service found in the saved one and refused. */
export function useProblems(saved: Campaign, { values, form }: DraftEdit): Problems {
  const { id, updated_at } = saved;
  const { id: workspace, call } = useWorkspace();
  const { data } = useQuery({
    queryKey: [workspace, `/campaigns/${id}/validate`, updated_at],
    queryFn: async ({ signal }) => {
      const path = `/campaigns/${id}/validate`;
      return (await call<{ problems: CampaignProblem[] }>("POST", path, { body: {}, signal })).body.problems;
    },
  });
  // Typing does not wait for it.
  const draft = useDeferredValue(values);
  const { refusal } = form;
  const all = useMemo(() => {
    const refused = (refusal?.body.errors ?? []).flatMap(({ pointer, message }) =>
      pointer === undefined ? [] : [{ pointer, message }],
    );
    return withoutRepeats([
      ...problemsHere(draft),
      ...problemsRefused(refused, draft),
      ...problemsThere(data ?? [], saved, draft),
    ]);
  }, [draft, data, saved, refusal]);
  const by = useMemo(() => Map.groupBy(all, ({ stepId }) => stepId), [all]);
  const of = useCallback((stepId: string | null) => by.get(stepId) ?? [], [by]);
  const count = useCallback((stepId: string | null) => by.get(stepId)?.length ?? 0, [by]);
  return useMemo(() => ({ all, of, count }), [all, of, count]);
}

/** Returns the function that says what is wrong with a field of a step, or of the campaign where `stepId` is null. */
export function useErrorOf(problems: Problems, stepId: string | null): (field: string) => string | undefined {
  const say = useTexts(problemTexts);
  return useMemo(() => {
    const by = new Map(problems.of(stepId).map((problem) => [problem.field, problemOf(problem, say)]));
    return (field: string) => by.get(field);
  }, [problems.of, stepId, say]);
}
