import type { ScreenUser } from "@tidings/contract/facts/screens";
import type { Queries } from "../../platform/db/index.ts";
import { encodeId } from "../../platform/ids.ts";
import { compilePattern, fits } from "../rules/screens.ts";
import { messagesWithScreens } from "./definition-store.ts";

/** The most messages that are named for one screen. */
const MOST = 20;

/** Returns the messages whose rules name each of these screens. Exclude wins over include, as in a sync. */
export async function screenUsers(
  q: Queries,
  workspaceId: string,
  names: string[],
): Promise<Map<string, ScreenUser[]>> {
  const found = new Map<string, ScreenUser[]>(names.map((name) => [name, []]));
  if (names.length === 0) return found;
  for (const { id, name, include, exclude } of await messagesWithScreens(q, workspaceId)) {
    const [shows, hides] = [include.map(compilePattern), exclude.map(compilePattern)];
    for (const [screen, users] of found) {
      if (users.length === MOST) continue;
      const rule = hides.some((pattern) => fits(pattern, screen))
        ? "exclude"
        : shows.some((pattern) => fits(pattern, screen)) && "include";
      if (rule) users.push({ id: encodeId("msg", id), name, rule });
    }
  }
  return found;
}
