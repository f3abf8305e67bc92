import { callApi } from "../stage/api.ts";
import { startChild } from "../processes/children.ts";
import { cpuOf } from "../processes/cpu.ts";
import { median, percentile, reached, table, type TargetResult } from "../report/report.ts";
import type { SendPlan } from "../floors/send-floor.ts";
import { providerOn, triggerOf } from "../load/emails.ts";
import { type SmtpSink, startSmtpSink } from "../sinks/smtp-sink.ts";
import { onStage, type Stage, type StageOptions } from "../stage/stage.ts";

const mail = {
  from: "shop@example.com",
  subject: "Order A-1 confirmed",
  html: `<h1>Thank you, Ada</h1><p>Your order <b>A-1</b> of a blue mug over 12.00 EUR is on its way.</p>${"<p>Delivery takes two to three days. You can answer this mail.</p>".repeat(4)}`,
  text: `Thank you, Ada\n\nYour order A-1 of a blue mug over 12.00 EUR is on its way.${"\n\nDelivery takes two to three days. You can answer this mail.".repeat(4)}`,
};

interface Measured {
  perSecond: number;
  /** Microseconds of CPU for each message, of the sender and of PostgreSQL. */
  cpu: number;
  databaseCpu: number;
}

/**
 * Measures emails from the queue to the 250 of an SMTP server, against nodemailer's pool in a bare loop, and how a stalled server
 * affects another workspace.
 */
export async function send(smoke: boolean, options: StageOptions): Promise<TargetResult[]> {
  return onStage({ ...options, roles: "api,worker" }, async (stage) => {
    const rate = await throughput(smoke, stage);
    const beside = await besideOneThatHangs(smoke, stage);
    return [
      reached("messages/s, ours / floor", rate, [">=", 0.6], "x"),
      reached("p95 beside a provider that hangs / alone", beside, ["<=", 1.2], "x"),
    ];
  });
}

async function throughput(smoke: boolean, stage: Stage): Promise<number> {
  const count = smoke ? 300 : 5_000;
  const [bareSink, ourSink] = [await startSmtpSink(), await startSmtpSink()];
  const floor = await startChild({ file: new URL("../floors/send-floor.ts", import.meta.url) });
  try {
    await callApi(stage, "/api/v1/providers", providerOn(ourSink.port));
    const bare = () =>
      measured(stage, { pid: floor.pid, sink: bareSink, count }, () =>
        floor.ask({ port: bareSink.port, count, mail } satisfies SendPlan),
      );
    const ours = () =>
      measured(stage, { pid: stage.service.pid, sink: ourSink, count }, () => queueEmails(stage, count, mail.html));
    const found: { bare: Measured[]; ours: Measured[] } = { bare: [], ours: [] };
    await bare();
    await ours();
    for (let round = 0; round < (smoke ? 1 : 6); round++) {
      // In turns, and each first as often as the other.
      if (round % 2 === 0) found.bare.push(await bare());
      found.ours.push(await ours());
      if (round % 2 === 1) found.bare.push(await bare());
    }
    console.log(`${count} emails of ${mail.html.length} bytes of HTML a round, 8 connections\n`);
    const row = (name: string, list: Measured[]) => [
      name,
      ...(["perSecond", "cpu", "databaseCpu"] as const).map((key) => median(list.map((m) => m[key])).toFixed(0)),
    ];
    table(
      ["", "messages/s", "sender us", "database us"],
      [row("nodemailer's pool", found.bare), row("Tidings", found.ours)],
    );
    return median(found.ours.map((m, i) => m.perSecond / (found.bare[i] as Measured).perSecond));
  } finally {
    await floor.stop();
    for (const sink of [bareSink, ourSink]) sink.close();
  }
}

/** Counts from the first 250 to the last: the poll's wait before the first is not measured. */
async function measured(
  stage: Stage,
  { pid, sink, count }: { pid: number; sink: SmtpSink; count: number },
  start: () => Promise<unknown>,
): Promise<Measured> {
  const [cpuBefore, databaseBefore] = [cpuOf(pid), stage.databaseCpu()];
  const begun = start();
  let [first, last] = [Number.POSITIVE_INFINITY, 0];
  for (let i = 0; i < count; i++) {
    const at = await sink.nextMessage();
    first = Math.min(first, at);
    last = Math.max(last, at);
  }
  await begun;
  const each = (ms: number) => (ms * 1_000) / count;
  return {
    perSecond: ((count - 1) * 1_000) / (last - first),
    cpu: each(cpuOf(pid) - cpuBefore),
    databaseCpu: each(stage.databaseCpu() - databaseBefore),
  };
}

/** Inserts due rows in one statement, as a batch of a broadcast does. */
export async function queueEmails(
  { db, workspaceId }: Pick<Stage, "db" | "workspaceId">,
  count: number,
  html: string,
): Promise<void> {
  await db.query(
    `insert into deliveries (person_key, id, workspace_id, channel, source, status, queued_at, content, recipient, due_at, retain_content)
     select gen_random_uuid(), gen_random_uuid(), $1, 'email', 'broadcast', 'queued', now(), $3, 'person-' || n || '@example.com', now(), false
     from generate_series(1, $2::int) as n`,
    [workspaceId, count, JSON.stringify({ from: mail.from, subject: mail.subject, body: html })],
  );
}

/** Measures a workspace's emails while another one's server hangs, in turns with the times when it does not. */
async function besideOneThatHangs(smoke: boolean, stage: Stage): Promise<number> {
  const samples = smoke ? 10 : 150;
  const [hanging, working] = [await startSmtpSink(), await startSmtpSink()];
  const [slow, quick] = [
    { ...stage, ...(await stage.another()) },
    { ...stage, ...(await stage.another()) },
  ];
  try {
    await callApi(slow, "/api/v1/providers", providerOn(hanging.port));
    await callApi(quick, "/api/v1/providers", providerOn(working.port));
    const once = triggerOf(stage.service.port, quick.secretKey, working);
    const times: Record<"alone" | "beside", number[]> = { alone: [], beside: [] };
    for (let i = 0; i < 10; i++) await once();
    for (let round = 0; round < (smoke ? 1 : 3); round++) {
      for (let i = 0; i < samples; i++) times.alone.push(await once());
      hanging.hang(true);
      await queueEmails(slow, 1_000, mail.html);
      await hanging.stuck(8);
      for (let i = 0; i < samples; i++) times.beside.push(await once());
      hanging.hang(false);
      for (let i = 0; i < 1_000; i++) await hanging.nextMessage();
    }
    const p = (list: number[], share: number) => percentile(list, share).toFixed(2);
    console.log(
      `\nRequest to 250, ${times.alone.length} samples each, one at a time; 1,000 emails wait for the one that hangs\n`,
    );
    table(
      ["", "p50 ms", "p95 ms"],
      (["alone", "beside"] as const).map((key) => [key, p(times[key], 0.5), p(times[key], 0.95)]),
    );
    return percentile(times.beside, 0.95) / percentile(times.alone, 0.95);
  } finally {
    for (const sink of [hanging, working]) sink.close();
  }
}
