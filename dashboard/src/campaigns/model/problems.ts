import type { CampaignProblem } from "@tidings/contract/campaigns/campaigns";
import { faultsOf } from "@tidings/contract/campaigns/incomplete";
import { journeyOf, stepsIn } from "@tidings/contract/campaigns/journey";
import type { Draft } from "../campaign-shape.ts";
import { same } from "./same.ts";

/** Why a campaign can't be activated or saved, at the step that it concerns. */
export interface Problem {
  code: string;
  message: string;
  /** Null for the start and what holds for the whole campaign. */
  stepId: string | null;
  /** The field: in the step, or in the campaign where no step is concerned. Without the first slash. */
  field: string;
}

/** A problem at a pointer into the whole definition. */
type Pointed = Pick<CampaignProblem, "code" | "message" | "pointer">;

/** Returns the problem at the innermost step of its pointer. */
function located({ code, message, pointer }: Pointed, places: [pointer: string, id: string][]): Problem {
  const found = places
    .filter(([at]) => pointer === at || pointer.startsWith(`${at}/`))
    .toSorted(([a], [b]) => b.length - a.length)[0];
  const field = pointer.slice((found?.[0].length ?? 0) + 1);
  return { code, message, stepId: found?.[1] ?? null, field };
}
const placesOf = ({ steps }: Pick<Draft, "steps">): [string, string][] =>
  [...journeyOf(steps).nodes].map(([id, { pointer }]) => [pointer, id]);

/** Returns what can be seen in the draft alone. */
export function problemsHere(draft: Draft): Problem[] {
  const journey = journeyOf(draft.steps);
  const empty: Pointed[] = [];
  const required = (pointer: string, text: string | undefined) => {
    if (text === "") empty.push({ code: "field_missing", message: "is required", pointer });
  };
  const { trigger } = draft;
  if (trigger.type === "event") required("/trigger/name", trigger.name);
  if (trigger.type === "date") required("/trigger/attribute", trigger.attribute);
  if (trigger.type === "recurring") required("/trigger/audience_id", trigger.audience_id);
  required("/name", draft.name.trim());
  required("/goal/event", draft.goal?.event);
  required("/cancel_on/event", draft.cancel_on?.event);
  return problemsIn(draft, [...empty, ...faultsOf(draft, journey)]);
}

/** Returns problems of a draft, each at its step. */
export function problemsIn(draft: Pick<Draft, "steps">, found: readonly Pointed[]): Problem[] {
  const places = placesOf(draft);
  return found.map((one) => located(one, places));
}

/** Returns what the service found in the saved draft, as far as that part is still the same here. */
export function problemsThere(found: readonly CampaignProblem[], saved: Draft, draft: Draft): Problem[] {
  const before = new Map(stepsIn(saved.steps).map((step) => [step.id, step]));
  const now = new Map(stepsIn(draft.steps).map((step) => [step.id, step]));
  return problemsIn(saved, found).filter(({ stepId, field }) => {
    if (stepId !== null) return now.has(stepId) && same(before.get(stepId), now.get(stepId));
    const part = field.split("/")[0] as keyof Draft;
    return same(saved[part], draft[part]);
  });
}

/** Returns what the service refused when this draft was to be saved. */
export const problemsRefused = (errors: readonly Omit<Pointed, "code">[], draft: Draft): Problem[] =>
  problemsIn(
    draft,
    errors.map((one) => ({ ...one, code: "refused" })),
  );

/** Returns problems without those of a field that has one already. */
export function withoutRepeats(problems: readonly Problem[]): Problem[] {
  const seen = new Set<string>();
  return problems.filter(({ stepId, field }) => {
    const key = `${stepId} ${field}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
