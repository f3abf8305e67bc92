import { setTimeout as sleep } from "node:timers/promises";
import { readFileSync } from "node:fs";
import { callApi } from "../stage/api.ts";
import { reached, table, type TargetResult } from "../report/report.ts";
import { queueEmails } from "./send.ts";
import { providerOn } from "../load/emails.ts";
import { startSmtpSink } from "../sinks/smtp-sink.ts";
import { onStage, type StageOptions } from "../stage/stage.ts";

const KIB = 1_024;

/** Measures memory while 100,000 emails with 100 KB of HTML each are sent: the second half must not need much more than the first. */
export async function sendMemory(smoke: boolean, options: StageOptions): Promise<TargetResult[]> {
  const count = smoke ? 200 : 100_000;
  const html = `<p>${"Delivery takes two to three days. ".repeat(3_000)}</p>`;
  return onStage({ ...options, roles: "api,worker" }, async (stage) => {
    const sink = await startSmtpSink();
    try {
      const { service } = stage;
      await callApi(stage, "/api/v1/providers", providerOn(sink.port));
      // In batches, as a broadcast queues them: half of the emails are queued before the first one is sent.
      const queueing = (async () => {
        for (let left = count; left > 0; left -= 1_000) await queueEmails(stage, Math.min(1_000, left), html);
      })();
      const began = performance.now();
      const marks: number[] = [];
      for (let tenth = 1; tenth <= 10; tenth++) {
        let most = 0;
        for (let i = 0; i < count / 10; i++) {
          await sink.nextMessage();
          if (i % 50 === 0) most = Math.max(most, rssOf(service.pid));
        }
        marks.push(most);
      }
      await queueing;
      const seconds = (performance.now() - began) / 1_000;
      await sleep(500);
      const settled = await service.ask<{ rss: number }>("memory");
      console.log(`${count} emails of ${(html.length / KIB).toFixed(0)} KiB in ${seconds.toFixed(0)} s\n`);
      table(
        ["", "MiB"],
        [
          ...marks.map((rss, i) => [`most in tenth ${i + 1}`, (rss / KIB / KIB).toFixed(0)]),
          ["at the end, after garbage collection", (settled.rss / KIB / KIB).toFixed(0)],
        ],
      );
      const grown = Math.max(...marks.slice(5)) / Math.max(...marks.slice(0, 5));
      return [reached("most memory, second half / first half", grown, ["<=", 1.1], "x")];
    } finally {
      sink.close();
    }
  });
}

const rssOf = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? Number.NaN) * KIB;
