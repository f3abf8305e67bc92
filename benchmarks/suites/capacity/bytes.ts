import { startLoad } from "../../load/load.ts";
import { providerOn } from "../../load/emails.ts";
import { startChild } from "../../processes/children.ts";
import { table, type TargetResult } from "../../report/report.ts";
import { startSmsGateway } from "../../sinks/sms-gateway.ts";
import { callApi } from "../../stage/api.ts";
import { seedPeople } from "../../stage/seed.ts";
import { onStage, type Stage, type StageOptions } from "../../stage/stage.ts";
import { EMAIL, expired, interacted, type On, queued, sent, SMS, synced, tracked } from "./paths.ts";
import { type Spent, spentBy } from "./spent.ts";

/**
 * Measures what one person, event, delivery and interaction costs: rows, bytes, write-ahead log and CPU. Each is done many times, and then a few
 * times right after a checkpoint, in tables that are full: then each change writes the image of a page that was not changed since.
 */
export async function bytes(smoke: boolean, options: StageOptions): Promise<TargetResult[]> {
  const people = smoke ? 1_000 : 20_000;
  const few = smoke ? 100 : 500;
  return onStage({ ...options, roles: "api,worker", settings: RARE_CHECKPOINTS }, async (stage) => {
    const load = await startLoad();
    const sink = await startChild<{ port: number }>({ file: new URL("../../sinks/sink-child.ts", import.meta.url) });
    const gateway = await startSmsGateway();
    try {
      await prepared(stage, sink.hello.port, gateway.url);
      const on: On = { stage, load, people };
      const rows: string[][] = [];
      const measured = async (what: string, many: () => Promise<number>, first?: () => Promise<number>) => {
        const whole = await spentBy(stage, many);
        rows.push(rowOf(what, whole, first && (await spentBy(stage, first))));
      };
      await measured("person", () => seedPeople(stage, people).then(() => people));
      await measured(
        "event",
        () => tracked(on, people * 5),
        () => tracked(on, few * 10),
      );
      await measured(
        "in-app queued",
        () => queued(on, 5),
        () => queued(on, 1),
      );
      await measured("sync", () => synced(on, people * 3));
      await measured(
        "impression",
        () => interacted(on, "impression", people * 2.5),
        () => interacted(on, "impression", few),
      );
      await measured(
        "click",
        () => interacted(on, "click", people),
        () => interacted(on, "click", few),
      );
      await measured(
        "dismissal",
        () => interacted(on, "dismiss", people),
        () => interacted(on, "dismiss", few),
      );
      await measured("expiry", await expired(on));
      await measured(
        "email",
        () => sent(on, "email", people),
        () => sent(on, "email", few),
      );
      await measured(
        "text message",
        () => sent(on, "sms", people),
        () => sent(on, "sms", few),
      );
      table(HEAD, rows);
      return [];
    } finally {
      gateway.close();
      await sink.stop();
      await load.stop();
    }
  });
}

const HEAD = ["", "n", "rows", "bytes", "log", "images", "images at first", "server us", "database us", "a second"];

/** No checkpoint begins by itself while something is measured. */
export const RARE_CHECKPOINTS = { max_wal_size: "16GB", checkpoint_timeout: "1h" };

/** Creates the providers and messages of the paths. */
export async function prepared(stage: Stage, mail: number, gateway: string): Promise<void> {
  await callApi(stage, "/api/v1/providers", providerOn(mail));
  await callApi(stage, "/api/v1/providers", {
    channel: "sms",
    kind: "http",
    name: "Gateway",
    settings: { url: gateway, from: "Acme" },
  });
  for (const one of [EMAIL, SMS]) await callApi(stage, "/api/v1/transactionals", one);
}

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
