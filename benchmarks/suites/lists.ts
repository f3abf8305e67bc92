import { personId } from "../load/ids.ts";
import { median, percentile, reached, table, type TargetResult } from "../report/report.ts";
import { callApi } from "../stage/api.ts";
import { seedPeople, seedSent } from "../stage/seed.ts";
import { onStage, type Stage, type StageOptions } from "../stage/stage.ts";

interface Page {
  data: object[];
  next_cursor: string | null;
}

const encoded = encodeURIComponent;

/** Requests of a screen that shows people or deliveries. A word that few rows have, or none, makes PostgreSQL read all rows. */
const CASES = [
  { name: "people, the last changed", path: "/people" },
  { name: "people, by email", path: "/people?sort=email" },
  { name: "people, the newest", path: "/people?sort=-created_at" },
  { name: "people, a beginning that all have", path: "/people?q=ADA" },
  { name: "people, a beginning that one has", path: `/people?q=${personId(99_999)}` },
  { name: "people, a beginning that nobody has", path: `/people?q=${encoded("Zoë Nobody")}` },
  { name: "people, counted", path: "/people?counts=true&limit=1" },
  { name: "deliveries, newest first", path: "/deliveries" },
  { name: "deliveries, oldest first", path: "/deliveries?sort=queued_at" },
  { name: "deliveries, a common status", path: "/deliveries?status=delivered" },
  { name: "deliveries, a status of 0.5 %", path: "/deliveries?status=bounced" },
  { name: "deliveries, a status of 0.02 %", path: "/deliveries?status=complained" },
  { name: "deliveries, a status that none has", path: "/deliveries?status=queued" },
  { name: "deliveries, of a person", path: `/deliveries?q=${personId(777)}` },
  { name: "deliveries, counted by status", path: "/deliveries?counts=true&limit=1" },
];
const SCROLLED = [
  { name: "people, scrolled", path: "/people?limit=200" },
  { name: "people by email, scrolled", path: "/people?limit=200&sort=email" },
  { name: "deliveries, scrolled", path: "/deliveries?limit=200" },
];

/** Measures the lists of people and deliveries at 100,000 people and 1,000,000 deliveries, over HTTP, one request at a time. */
export async function lists(smoke: boolean, options: StageOptions): Promise<TargetResult[]> {
  const people = smoke ? 1_000 : 100_000;
  const rounds = smoke ? 2 : 25;
  return onStage({ ...options, roles: "api" }, async (stage) => {
    await seedPeople(stage, people);
    await seedSent(stage, people);
    console.log(`${people} people, ${people * 10} deliveries; milliseconds, ${rounds} requests each\n`);
    const rows: string[][] = [];
    const found: TargetResult[] = [];
    const show = (name: string, length: number, times: number[]) => {
      rows.push([name, String(length), ...[median(times), percentile(times, 0.95)].map((ms) => ms.toFixed(1))]);
      found.push(reached(name, median(times), ["<", 200], "ms"));
    };
    for (const { name, path } of CASES) {
      const times: number[] = [];
      let length = 0;
      for (let round = -2; round < rounds; round++) {
        const { data, ms } = await timed(stage, path);
        length = data.length;
        if (round >= 0) times.push(ms);
      }
      show(name, length, times);
    }
    for (const { name, path } of SCROLLED) {
      const times: number[] = [];
      let length = 0;
      let cursor: string | null = "";
      for (let page = 0; page < (smoke ? 3 : 100) && cursor !== null; page++) {
        const answer: Page & { ms: number } = await timed(stage, `${path}${cursor && `&cursor=${encoded(cursor)}`}`);
        times.push(answer.ms);
        length += answer.data.length;
        cursor = answer.next_cursor;
      }
      show(name, length, times);
    }
    table(["list", "rows", "median", "p95"], rows);
    return found;
  });
}

async function timed(stage: Stage, path: string): Promise<Page & { ms: number }> {
  const start = performance.now();
  const page = await callApi<Page>(stage, `/api/v1${path}`);
  return { ...page, ms: performance.now() - start };
}
