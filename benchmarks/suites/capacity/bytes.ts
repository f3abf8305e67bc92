import { table, type TargetResult } from "../../report/report.ts";
import { seedPeople } from "../../stage/seed.ts";
import type { StageOptions } from "../../stage/stage.ts";
import { onInstallation } from "./installation.ts";
import { expired, interacted, queued, sent, synced, tracked } from "./paths.ts";
import { type Spent, spentBy } from "./spent.ts";

/**
 * Measures what one person, event, delivery and interaction costs: rows, bytes, write-ahead log and CPU. Each is done many times, and then a few
 * times right after a checkpoint, in tables that are full: then each change writes the image of a page that was not changed since.
 */
export async function bytes(smoke: boolean, options: StageOptions): Promise<TargetResult[]> {
  const people = smoke ? 1_000 : 20_000;
  const few = smoke ? 100 : 500;
  return onInstallation(options, people, async (on) => {
    const rows: string[][] = [];
    const once = async (what: string, work: () => Promise<number>) =>
      rows.push(rowOf(what, await spentBy(on.stage, work), undefined));
    const twice = async (what: string, work: (count: number) => Promise<number>, [many, first]: [number, number]) => {
      const whole = await spentBy(on.stage, () => work(many));
      rows.push(rowOf(what, whole, await spentBy(on.stage, () => work(first))));
    };
    await once("person", () => seedPeople(on.stage, people).then(() => people));
    await twice("event", (count) => tracked(on, count), [people * 5, few * 10]);
    await twice("in-app queued", (broadcasts) => queued(on, broadcasts), [5, 1]);
    await once("sync", () => synced(on, people * 3));
    await twice("impression", (count) => interacted(on, "impression", count), [people * 2.5, few]);
    await twice("click", (count) => interacted(on, "click", count), [people, few]);
    await twice("dismissal", (count) => interacted(on, "dismiss", count), [people, few]);
    await once("expiry", await expired(on));
    await twice("email", (count) => sent(on, "email", count), [people, few]);
    await twice("text message", (count) => sent(on, "sms", count), [people, few]);
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
