import type { InAppDefinition, InAppWarning } from "@tidings/contract/inapp/definition";
import type { Queries } from "../../platform/db/index.ts";
import { latestScreens } from "../../screens/index.ts";
import { nearlyFits } from "../rules/nearly-fits.ts";

/** Only the screens that were seen last: a catalog has some hundred names, and a flooded one must not delay an author. */
const MOST_SCREENS = 1_000;
/** The most screens that one warning names. */
const MOST_NAMED = 3;

/** Warnings for the author: reported screens that a rule of the definition probably means, but does not fit. */
export async function warningsOf(
  q: Queries,
  workspaceId: string,
  { screens }: InAppDefinition,
): Promise<InAppWarning[]> {
  if (screens.include.length + screens.exclude.length === 0) return [];
  const known = await latestScreens(q, workspaceId, MOST_SCREENS);
  return (["include", "exclude"] as const).flatMap((list) =>
    screens[list].flatMap((pattern, i) => {
      const near = known.filter((name) => nearlyFits(pattern, name)).slice(0, MOST_NAMED);
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
