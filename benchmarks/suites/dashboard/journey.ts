import type { Page } from "playwright-core";
import { reached, type TargetResult } from "../../report/report.ts";
import { callApi } from "../../stage/api.ts";
import type { Stage } from "../../stage/stage.ts";
import { onPage, repeated, type Visit } from "./visit.ts";

/** Branches with two waits on each way: 200 steps, the most that a campaign has. */
const BRANCHES = 40;
const CANVAS = ".react-flow";
const BOX = `${CANVAS} [data-box]`;

/**
 * Measures the editor of a campaign with 200 steps on a processor that is slowed four times: what its longest task takes while the canvas is moved and
 * zoomed, while somebody types into a field of a step, walks from step to step by the arrow keys, and removes a step and brings it back.
 */
export async function journey(stage: Stage, visit: Visit): Promise<TargetResult[]> {
  const { id } = await callApi<{ id: string }>(stage, "/api/v1/campaigns", {
    name: "Two hundred steps",
    trigger: { type: "event", name: "signed_up" },
    steps: [...Array(BRANCHES).keys()].map(branch),
  });
  const found: TargetResult[] = [];
  const measure = (name: string, most: number, chosen: string, play: (page: Page, round: number) => Promise<void>) =>
    onPage(
      visit,
      `campaigns/${id}`,
      async ({ page, longestTask }) => {
        await page.locator(`${BOX}[data-key="step ${chosen}"]`).click();
        await page.getByRole("region", { name: "What is chosen" }).waitFor();
        const tasks = await repeated(visit.smoke ? 2 : 5, (round) => longestTask(() => play(page, round)));
        found.push(reached(`longest task with 200 steps, ${name}`, visit.figure(tasks), ["<=", most], "ms"));
      },
      BOX,
    );
  await measure("canvas moved and zoomed", 100, "branch_0", moved);
  await measure("typing", 50, "yes_0", (page) =>
    page.getByRole("textbox", { name: "How long", exact: true }).pressSequentially("1", { delay: 200 }),
  );
  await measure("arrow keys", 100, "branch_0", async (page, round) => {
    for (let n = 0; n < 20; n++) await page.keyboard.press(round % 2 === 0 ? "ArrowDown" : "ArrowUp", { delay: 50 });
  });
  await measure("a step removed and brought back", 200, "no_0", async (page) => {
    const undo = page.getByRole("button", { name: /^Undo/ });
    await page.keyboard.press("Delete");
    await undo.and(page.locator(":enabled")).waitFor();
    await page.keyboard.press("Control+z");
    await undo.and(page.locator(":disabled")).waitFor();
  });
  return found;
}

const wait = (id: string, days: number) => ({ id, type: "wait", for: { amount: days, unit: "days" } });

const branch = (n: number) => ({
  id: `branch_${n}`,
  type: "branch",
  if: { attribute: "plan", op: "eq", value: "pro" },
  // biome-ignore lint/suspicious/noThenProperty: the name on the wire
  then: [wait(`yes_${n}`, 1), wait(`yes_${n}_more`, 2)],
  else: [wait(`no_${n}`, 1), wait(`no_${n}_more`, 2)],
});

/** Drags the canvas up, and zooms out and in by the wheel. */
async function moved(page: Page): Promise<void> {
  const area = await page.locator(CANVAS).boundingBox();
  if (!area) throw new Error("the canvas is not shown");
  await page.mouse.move(area.x + area.width / 2, area.y + area.height / 2);
  await page.mouse.down();
  for (let y = 0; y < 300; y += 10) await page.mouse.move(area.x + area.width / 2, area.y + area.height / 2 - y);
  await page.mouse.up();
  for (const by of [120, 120, 120, -120, -120, -120]) await page.mouse.wheel(0, by);
}
