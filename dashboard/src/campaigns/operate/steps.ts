import { stepsIn } from "@tidings/contract/campaigns/journey";
import type { Step } from "@tidings/contract/campaigns/steps";
import { useMemo } from "react";
import { useWords } from "../words/use-words.ts";

/** Returns the function that names a step by its id: its id with what it is; only the id where the journey no longer has it. */
export function useStepNames(steps: Step[]): (id: string) => string {
  const words = useWords();
  return useMemo(() => {
    const names = new Map(stepsIn(steps).map((step) => [step.id, `${step.id} (${words.title(step)})`]));
    return (id) => names.get(id) ?? id;
  }, [steps, words]);
}
