import type { InAppDefinition, InAppWarning } from "@tidings/contract/inapp/definition";
import type { Queries } from "../../platform/db/index.ts";
import { latestScreens } from "../../screens/index.ts";
import { nearlyFits } from "../rules/near.ts";

/** Of the screens seen last: a catalog is some hundred names, and one that is flooded must not hold an author up. */
const MOST_SCREENS = 1_000;
/** Named in one warning. */
const SHOWN = 3;

/** What an author should know about the screens of a definition: those that look as if a rule meant them, and it does not. */
export async function warningsOf(
  q: Queries,
  workspaceId: string,
  { screens }: InAppDefinition,
): Promise<InAppWarning[]> {
  if (screens.include.length + screens.exclude.length === 0) return [];
  const known = await latestScreens(q, workspaceId, MOST_SCREENS);
  return (["include", "exclude"] as const).flatMap((list) =>
    screens[list].flatMap((pattern, i) => {
      const near = known.filter((name) => nearlyFits(pattern, name)).slice(0, SHOWN);
      if (near.length === 0) return [];
      const names = near.map((name) => JSON.stringify(name)).join(", ");
      return {
        code: "screen_near_miss" as const,
        field: `screens.${list}.${i}`,
        message: `${JSON.stringify(pattern)} does not fit ${names}, which devices report: names are compared by case and by every sign.`,
      };
    }),
  );
}
