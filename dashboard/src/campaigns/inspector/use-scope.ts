import { useMemo } from "react";
import type { LiquidScope } from "../../content/liquid/scope.ts";
import type { Draft } from "../campaign-shape.ts";
import { scopeOf } from "../model/scope.ts";

/** Returns what the contents of a campaign can name besides the person: the same object until the journey changes. */
export function useScope({ trigger, steps }: Pick<Draft, "trigger" | "steps">): LiquidScope {
  return useMemo(() => scopeOf({ trigger, steps }), [trigger, steps]);
}
