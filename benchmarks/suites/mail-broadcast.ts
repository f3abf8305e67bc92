import { setTimeout as sleep } from "node:timers/promises";
import { callApi } from "../stage/api.ts";
import { type Child, startChild } from "../processes/children.ts";
import { cpuOf } from "../processes/cpu.ts";
import { median, percentile, reached, table, type TargetResult } from "../report/report.ts";
import { emailOf } from "../load/ids.ts";
import { seedPeople } from "../stage/seed.ts";
import type { SendPlan } from "../floors/send-floor.ts";
import { providerOn } from "../load/emails.ts";
import { APART, type SinkAnswer, type SinkQuestion } from "../sinks/sink-question.ts";
import { onStage, type Stage, type StageOptions } from "../stage/stage.ts";

const TRIGGERS_PER_SECOND = 20;
const LONGEST_MS = 300_000;

const html = (name: string) =>
  `<h1>Hello ${name}</h1><p>Your <b>offer</b> of the week is a blue mug for 12.00 EUR.</p>${"<p>It is valid until Sunday, in each of our shops and online.</p>".repeat(4)}`;
const text = `Hello Ada\n\nYour offer of the week is a blue mug for 12.00 EUR.${"\n\nIt is valid until Sunday, in each of our shops and online.".repeat(4)}`;

/** Milliseconds of one trigger: from when it was due to its 202, and from the 202 to the 250 of the mail server. */
interface Triggered {
  answered: number;
  handed: number;
}

interface Round {
  perSecond: number;
  /** Microseconds of CPU for each email, of the sender and of PostgreSQL. */
  cpu: number;
  databaseCpu: number;
}

type Sink = Child & { hello: { port: number } };

/**
 * Measures an email broadcast to 20,000 people over HTTP, from the call that sends it to the last 250 of an SMTP server that accepts
 * everything, against nodemailer's own pool that sends as many mails of the same content to the same server: the pool has no
 * audience, no rendering, no queue and no log. Then it sends 20 transactional emails a second, each when it is due and not when
 * the previous one is answered, first on the idle service and then beside a broadcast, and measures the time to their 202 and from
 * there to the 250. They share the workspace, its provider and the 8 connections with the broadcast.
 */
export async function mailBroadcast(smoke: boolean, options: StageOptions): Promise<TargetResult[]> {
  const people = smoke ? 400 : 20_000;
  return onStage({ ...options, roles: "api,worker" }, async (stage) => {
    await seedPeople(stage, people);
    const sink: Sink = await startChild({ file: new URL("../sinks/sink-child.ts", import.meta.url) });
    const pool = await startChild({ file: new URL("../floors/send-floor.ts", import.meta.url) });
    try {
      await callApi(stage, "/api/v1/providers", providerOn(sink.hello.port));
      const on = { stage, sink, people };
      const rate = await throughput(on, pool, smoke ? 1 : 2);
      return [reached("emails/s, ours / nodemailer's pool", rate, [">=", 0.6], "x"), ...(await beside(on, smoke))];
    } finally {
      await pool.stop();
      await sink.stop();
    }
  });
}

interface On {
  stage: Stage;
  sink: Sink;
  people: number;
}

async function throughput(on: On, pool: Child, rounds: number): Promise<number> {
  const { stage, people, sink } = on;
  const mail = { from: "shop@example.com", subject: "Your offer of the week", html: html("Ada"), text };
  const bare = () =>
    measured(on, pool.pid, () => pool.ask({ port: sink.hello.port, count: people, mail } satisfies SendPlan));
  const ours = () => measured(on, stage.service.pid, () => broadcast(stage));
  const found: { bare: Round; ours: Round }[] = [];
  for (let round = 0; round < rounds; round++) {
    // In turns, and each first as often as the other. 20,000 emails are their own warm-up.
    found.push(
      round % 2 === 0 ? { bare: await bare(), ours: await ours() } : { ours: await ours(), bare: await bare() },
    );
  }
  console.log(`${people} emails of ${html("Ada").length} bytes of HTML a round, 8 connections\n`);
  const row = (name: string, who: "bare" | "ours") => [
    name,
    ...(["perSecond", "cpu", "databaseCpu"] as const).map((key) =>
      median(found.map((pair) => pair[who][key])).toFixed(0),
    ),
  ];
  table(["", "emails/s", "sender us", "database us"], [row("nodemailer's pool", "bare"), row("Tidings", "ours")]);
  return median(found.map((pair) => pair.ours.perSecond / pair.bare.perSecond));
}

/** Waits until the sink has accepted them. @throws Error if they do not arrive: a smoke run must end */
async function taking(sink: Sink, question: SinkQuestion): Promise<SinkAnswer> {
  const timer = new AbortController();
  const late = sleep(LONGEST_MS, undefined, { signal: timer.signal }).then(() => {
    throw new Error(`the mail server did not get ${question.count} messages (${question.of}) within ${LONGEST_MS} ms`);
  });
  try {
    return await Promise.race([sink.ask<SinkAnswer>(question), late]);
  } finally {
    timer.abort();
    late.catch(() => {});
  }
}

const wallClock = () => performance.timeOrigin + performance.now();

/** Returns the rate from the call to the last 250. */
async function measured({ stage, sink, people }: On, pid: number, start: () => Promise<unknown>): Promise<Round> {
  const [cpuBefore, databaseBefore, since] = [cpuOf(pid), stage.databaseCpu(), wallClock()];
  const done = taking(sink, { of: "others", count: people });
  const [taken] = await Promise.all([done, start()]);
  const last = Object.values(taken).reduce((latest, at) => Math.max(latest, at));
  const each = (ms: number) => (ms * 1_000) / people;
  return {
    perSecond: (people * 1_000) / (last - since),
    cpu: each(cpuOf(pid) - cpuBefore),
    databaseCpu: each(stage.databaseCpu() - databaseBefore),
  };
}

async function broadcast(stage: Stage): Promise<void> {
  const draft = await callApi<{ id: string }>(stage, "/api/v1/broadcasts", {
    name: "Offer of the week",
    channel: "email",
    audience: { all: [] },
    content: { from: "shop@example.com", subject: "Your offer of the week", body: html("{{person.first_name}}") },
  });
  await callApi(stage, `/api/v1/broadcasts/${draft.id}/send`, {});
}

/** Measures the triggers on the idle service, and beside broadcasts while these are sent. */
async function beside(on: On, smoke: boolean): Promise<TargetResult[]> {
  const { stage, sink, people } = on;
  const during = async (work: () => Promise<unknown>): Promise<Triggered[]> => {
    const stop = new AbortController();
    const triggers = openLoop(stage.service.port, stage.secretKey, people, stop.signal);
    await work();
    stop.abort();
    const sent = await triggers;
    const taken = await taking(sink, { of: "apart", count: sent.length });
    return sent.map(({ to, answered, at }) => ({ answered, handed: (taken[to] ?? Number.NaN) - at }));
  };
  const found: Record<"idle" | "beside", Triggered[]> = { idle: [], beside: [] };
  await during(() => sleep(1_000));
  found.idle = await during(() => sleep(smoke ? 1_000 : 25_000));
  found.beside = await during(() => measured(on, stage.service.pid, () => broadcast(stage)));
  const p = (who: "idle" | "beside", of: keyof Triggered, share: number) =>
    percentile(
      found[who].map((one) => one[of]),
      share,
    );
  const row = (name: string, who: "idle" | "beside") => [
    name,
    String(found[who].length),
    ...[0.5, 0.99].map((share) => p(who, "answered", share).toFixed(1)),
    ...[0.5, 0.99].map((share) => p(who, "handed", share).toFixed(1)),
  ];
  console.log(`\n${TRIGGERS_PER_SECOND} triggers a second, each when it is due\n`);
  table(
    ["", "triggers", "202 p50 ms", "202 p99 ms", "202 to 250 p50 ms", "202 to 250 p99 ms"],
    [row("idle", "idle"), row("beside a broadcast", "beside")],
  );
  const ratio = p("beside", "answered", 0.99) / p("idle", "answered", 0.99);
  return [
    reached("p99 of a 202 beside a broadcast / idle", ratio, ["<=", 3], "x"),
    reached("p99 from 202 to handover beside a broadcast", p("beside", "handed", 0.99), ["<", 1_000], "ms"),
  ];
}

/**
 * Triggers a raw email each time one is due, until `stop`, whether or not the previous ones are answered: a loop that waits for answers
 * sends less just when the service is slow. Times count from when an email was due.
 */
async function openLoop(port: number, key: string, people: number, stop: AbortSignal) {
  const under: Promise<{ to: string; answered: number; at: number }>[] = [];
  const started = performance.now();
  for (let n = 0; !stop.aborted; n++) {
    const due = started + (n * 1_000) / TRIGGERS_PER_SECOND;
    await sleep(Math.max(0, due - performance.now()));
    under.push(
      triggerOnce(port, key, {
        email: emailOf((n * 7_919) % people),
        to: `${APART}${Date.now()}-${n}@example.com`,
        due,
      }),
    );
  }
  return Promise.all(under);
}

async function triggerOnce(port: number, key: string, { email, to, due }: { email: string; to: string; due: number }) {
  const answer = await fetch(`http://127.0.0.1:${port}/data-gateway/transactionals/email`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({
      identifiers: { email },
      to,
      from: "shop@example.com",
      subject: "Your code",
      body: "<p>Your code is 123456.</p>",
    }),
  });
  const now = performance.now();
  if (answer.status !== 202) throw new Error(`not a 202: ${await answer.text()}`);
  await answer.arrayBuffer();
  return { to, answered: now - due, at: performance.timeOrigin + now };
}
