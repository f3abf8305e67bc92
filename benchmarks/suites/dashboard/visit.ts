import type { Browser } from "playwright-core";
import { type SlowPage, slowPage } from "../../load/slow-page.ts";

/** The page as a member uses it, at an address of the workspace. */
export interface Visit {
  browser: Browser;
  address: string;
  cookie: string;
  room: (path: string) => string;
  rounds: number;
  /** What a figure is among so many: the best of a short run, because other programs only make it worse. */
  figure: (of: number[]) => number;
  smoke: boolean;
}

/** A row of a list. */
export const ROW = "main ul[aria-label] li[data-index]";

/** Opens a room on a slowed machine, plays there, and closes it. @param ready what the room shows once it can be used */
export async function onPage(
  visit: Visit,
  room: string,
  play: (on: SlowPage) => Promise<void>,
  ready = ROW,
): Promise<void> {
  const on = await slowPage(visit.browser, visit.address, visit.cookie);
  await on.page.goto(visit.room(room));
  await on.page.locator(ready).first().waitFor();
  await play(on);
  await on.close();
}

/** Measures so often, or until a figure is good enough. */
export async function repeated(
  rounds: number,
  once: (round: number) => Promise<number>,
  enough: (figure: number) => boolean = () => false,
): Promise<number[]> {
  const found: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const figure = await once(round);
    found.push(figure);
    if (enough(figure)) break;
  }
  return found;
}
