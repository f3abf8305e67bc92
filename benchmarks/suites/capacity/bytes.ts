import { table, type TargetResult } from "../../report/report.ts";
import { identifyPeople } from "../../stage/seed.ts";
import type { StageOptions } from "../../stage/stage.ts";
import { onInstallation } from "./installation.ts";
import { expired, interactions, queued, sent, synced, tracked } from "./paths.ts";
import { type Spent, spentBy, type Work } from "./spent.ts";

/**
 * Measures what one person, event, delivery and interaction costs: rows, bytes, write-ahead log and CPU. Each is done until the service has compiled
 * its code, then many times, and then some more times right after a checkpoint, in tables that are full: there each change writes the image of
 * a page that was not changed since.
 */
export async function bytes(smoke: boolean, options: StageOptions): Promise<TargetResult[]> {
  const people = smoke ? 1_000 : 100_000;
  const some = smoke ? 100 : 5_000;
  return onInstallation(options, people, async (on) => {
    const rows: string[][] = [];
    const once = async (what: string, work: Work) => rows.push(rowOf(what, await spentBy(on.stage, work), undefined));
    const twice = async (
      what: string,
      prepare: (count: number) => Work | Promise<Work>,
      [many, few]: [number, number],
    ) => {
      await (await prepare(few))();
      const whole = await spentBy(on.stage, await prepare(many));
      rows.push(rowOf(what, whole, await spentBy(on.stage, await prepare(few))));
    };
    await identifyPeople({ ...on.stage, ...(await on.stage.another()) }, some);
    await once("person", () => identifyPeople(on.stage, people).then(() => people));
    await twice("event", (count) => () => tracked(on, count), [people * 5, some * 4]);
    await twice("in-app queued", (broadcasts) => () => queued(on, broadcasts), [3, 1]);
    await synced(on, some);
    await once("sync", () => synced(on, people));
    await twice("impression", (count) => interactions(on, "impression", count), [people, some]);
    await twice("click", (count) => interactions(on, "click", count), [people / 2, some]);
    await twice("dismissal", (count) => interactions(on, "dismiss", count), [people, some]);
    await twice("email", (count) => () => sent(on, "email", count), [people / 5, some]);
    await twice("text message", (count) => () => sent(on, "sms", count), [people / 5, some]);
    await once("expiry", await expired(on));
    table(HEAD, rows);
    return [];
  });
}

const HEAD = ["", "n", "rows", "bytes", "log", "images", "images at first", "server us", "database us", "a second"];

const rowOf = (what: string, whole: Spent, first: Spent | undefined): string[] => {
  const each = (value: number, digits = 0) => (value / whole.count).toFixed(digits);
  return [
    what,
    String(whole.count),
    each(whole.rows, 2),
    each(whole.bytes),
    each(whole.log - whole.images),
    each(whole.images),
    first ? (first.images / first.count).toFixed(0) : "",
    each(whole.server * 1_000, 1),
    each(whole.database * 1_000, 1),
    (whole.count / whole.seconds).toFixed(0),
  ];
};
