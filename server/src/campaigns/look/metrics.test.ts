import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ENDS, FIGURES, metricsService, run, STEPS, sent } from "../../../test/support/campaigns/metrics.ts";
import { count, happenings } from "../../../test/support/services/deliveries.ts";

// The numbers of a campaign, and the people behind each of them.

const { insert, insertSent, campaignWith, get, listed } = await metricsService();

describe("the people behind each number", () => {
  test("are as many as the number says, in all time", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(run, { maxLength: 14 }), async (rows) => {
        const { campaign, path } = await campaignWith();
        await insert(campaign, rows);
        const { runs, steps, goal: reached } = await get(`${path}/metrics`);
        expect(runs).toEqual({
          entered: await listed(path, ""),
          active: await listed(path, "status=active"),
          completed: await listed(path, "status=completed"),
          exited: await listed(path, "status=exited"),
          failed: await listed(path, "status=failed"),
          canceled: await listed(path, "status=canceled"),
          converted: await listed(path, "converted=true"),
        });
        expect(runs.entered).toBe(rows.length);
        expect(reached).toMatchObject({ reached: runs.converted, runs: rows.length });
        for (const step of STEPS) {
          for (const figure of FIGURES)
            expect(steps[step][figure], `${step} ${figure}`).toBe(await listed(path, `step=${step}&state=${figure}`));
          expect(steps[step].waiting).toBe(await listed(path, `step=${step}`));
          expect(steps[step].converted, step).toBe(await listed(path, `step=${step}&converted=true`));
          const { entered, waiting, passed, failed, exited } = steps[step];
          expect(entered).toBe(waiting + passed + failed + exited);
        }
      }),
      { numRuns: 12 },
    );
  });

  test("are as many messages as the step says, and those of all steps are those of the campaign", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(sent, { maxLength: 12 }), async (rows) => {
        const { campaign, path } = await campaignWith();
        await insertSent(campaign, rows);
        const { steps, totals, channels } = await get(`${path}/metrics`);
        const list = async (query: string) => {
          const { data } = await get(`/api/v1/deliveries?limit=200&source_id=${path.split("/").at(-1)}&${query}`);
          return count(data.map(happenings));
        };
        expect(Object.keys(steps).sort()).toEqual([...new Set([...STEPS, ...rows.map(({ step }) => step)])].sort());
        for (const step of STEPS.concat("removed")) {
          const { channels: parts = {}, ...numbers } = steps[step]?.messages ?? count([]);
          expect(numbers, step).toEqual(await list(`step=${step}`));
          for (const [channel, part] of Object.entries(parts))
            expect(part).toEqual(await list(`step=${step}&channel=${channel}`));
        }
        const sum = (metric: string) =>
          Object.values<{ messages?: Record<string, number> }>(steps).reduce(
            (n, { messages }) => n + (messages?.[metric] ?? 0),
            0,
          );
        for (const metric of Object.keys(totals)) expect(sum(metric), metric).toBe(totals[metric]);
        const mails = await get(`${path}/metrics?channel=email`);
        expect(Object.keys(mails.steps).sort()).toEqual(
          [...new Set(rows.flatMap(({ step, channel }) => (channel === "email" ? [step] : [])))].sort(),
        );
        if (channels.email) expect(mails.totals).toEqual(channels.email);
      }),
      { numRuns: 12 },
    );
  });

  test("are as many as the number says, in each hour or day", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(run, { maxLength: 12 }), async (rows) => {
        const { campaign, path } = await campaignWith();
        await insert(campaign, rows);
        const range = "from=2026-03-01T00:00:00Z&to=2026-03-07T00:00:00Z";
        const { runs, steps, series } = await get(`${path}/metrics?bucket=day&by=step&${range}`);
        expect(series.data).toHaveLength(6);
        const sums = (data: Record<string, number>[], figure: string) =>
          data.reduce((sum, one) => sum + (one[figure] ?? 0), 0);
        const inRuns = series.data.map((one: { runs: object }) => one.runs);
        for (const figure of ["entered", "converted", ...ENDS]) expect(sums(inRuns, figure), figure).toBe(runs[figure]);
        for (const { start, end, runs: numbers } of series.data.slice(0, 2)) {
          const time = `from=${start}&to=${end}`;
          expect(numbers.entered).toBe(await listed(path, time));
          for (const status of ENDS)
            expect(numbers[status], status).toBe(await listed(path, `status=${status}&${time}`));
          expect(numbers.converted).toBe(await listed(path, `converted=true&${time}`));
        }
        for (const { step, data } of series.parts) {
          const of = (figure: string) => sums(data, figure);
          for (const figure of ["entered", "passed", "failed", "exited", "converted"])
            expect(of(figure), `${step} ${figure}`).toBe(steps[step][figure]);
          const [{ start, end, ...numbers }] = data;
          for (const figure of ["entered", "passed", "failed", "exited"])
            expect(numbers[figure], `${step} ${figure}`).toBe(
              await listed(path, `step=${step}&state=${figure}&from=${start}&to=${end}`),
            );
          expect(numbers.converted).toBe(await listed(path, `step=${step}&converted=true&from=${start}&to=${end}`));
        }
      }),
      { numRuns: 8 },
    );
  });
});
