import { Counter, type Registry } from "prom-client";
import type { Ground } from "../../platform/ground.ts";
import { derivedId, encodeId } from "../../platform/ids.ts";
import { readable, type SignedAnswer, signedCall } from "../../platform/outbound-http/index.ts";
import { type Calls, createCalls } from "../../platform/work/calls.ts";
import { type Lease, writeEnd } from "../../platform/work/leases.ts";
import { startLoop } from "../../platform/work/loop.ts";
import { MOST_ANSWER, MOST_TEXT, outcomeOf, responseOf } from "../rules/calls.ts";
import { CALLS_DUE, RUNS_DUE } from "../run/run.ts";
import {
  awaits,
  type CallAnswer,
  type CallingCampaign,
  callingCampaigns,
  type CallKey,
  type CallRow,
  claimCalls,
  dropCall,
  keepCall,
  releaseCalls,
  repeatCall,
  settleCall,
  takeBackCalls,
} from "./call-store.ts";
import { signingSecrets } from "./secret.ts";

// The calls of webhook steps, outside of any transaction. The engine queues a call and lets its run wait. This work leases the call, makes
// it, and writes the answer together with the run's due time. If a process dies in between, the lease ends and the call is repeated
// with the same id and body.

/** The poll finds retries, calls of dead processes and lost signals. */
const POLL_MS = 1_000;
/** The poll while no campaign has calls. It only replaces a lost signal that one has. */
const IDLE_POLL_MS = 10_000;
/** The time between two rounds. */
const GAP_MS = 50;

/** The metrics of the calls of webhook steps. */
export const callMetrics = (registry: Registry) => ({
  campaignCalls: new Counter({
    name: "tidings_campaign_calls_total",
    help: "Calls of webhook steps of campaigns, by outcome (answered, retry, failed)",
    labelNames: ["outcome"] as const,
    registers: [registry],
  }),
});

type CallMetrics = ReturnType<typeof callMetrics>;

declare module "../../platform/metrics.ts" {
  interface Metrics extends CallMetrics {}
}

/** Returns the id under which a run calls from a step. It is the same for each attempt. */
export const callIdOf = ({ run_id, step_id }: Omit<CallKey, "person_key">): string =>
  derivedId("campaign call", run_id, step_id);

/** Starts to make the calls that are due. Campaigns and workspaces have fair shares, so a receiver that hangs delays only its own campaign. */
export function startCalls(ground: Ground): { stop(): Promise<void> } {
  const calls = createCalls<CallingCampaign, CallRow>({
    of: "calls of campaigns",
    claim: (leaseId, rooms) => claimCalls(ground.workDb, leaseId, rooms),
    release: (some) => releaseCalls(ground.workDb, some),
    takeBack: (lost, campaigns) => takeBackCalls(ground.workDb, lost, campaigns),
    lineOf: ({ campaign_id }) => campaign_id,
    call: (_campaign, lease, signal) => makeCall(ground, lease, signal),
    onLost({ id }, error) {
      const fields = { campaign_id: encodeId("cmp", id), err: String(error) };
      ground.log.warn(fields, "a call of a webhook step was lost");
    },
    onRoom: () => loop.wake(),
  });
  const loop = startLoop(ground, {
    what: "calls of campaigns",
    wakeOn: { [CALLS_DUE]: () => true },
    round: () => round(ground, calls),
    gapMs: GAP_MS,
  });
  return {
    async stop() {
      await loop.stop();
      await calls.stop();
    },
  };
}

/** Begins the calls for which there is room. Returns the milliseconds until the next one may be due. */
async function round({ workDb }: Ground, calls: Calls<CallingCampaign, CallRow>): Promise<number> {
  const campaigns = await callingCampaigns(workDb);
  if (campaigns.length === 0) return IDLE_POLL_MS;
  await calls.claim(campaigns);
  const next = campaigns.map(({ due_in }) => due_in).filter((ms) => ms > 0);
  return Math.max(1, Math.min(POLL_MS, ...next));
}

/** Makes a leased call once, if its run still waits for it, and writes what came of it. */
async function makeCall(ground: Ground, lease: Lease<CallRow>, signal: AbortSignal): Promise<void> {
  const { workDb } = ground;
  const call = lease.item;
  const { awaited, paused } = await awaits(workDb, call);
  if (!awaited) return void (await dropCall(workDb, call));
  if (call.state !== "pending") return void (await keepCall(workDb, call));
  if (paused) return void (await releaseCalls(workDb, [call]));
  const id = callIdOf(call);
  const answer = await signedCall(ground, {
    url: call.url,
    id,
    body: call.body,
    secrets: await signingSecrets(workDb, ground, call.workspace_id),
    headers: { "idempotency-key": id },
    keptBytes: MOST_ANSWER + 1,
    signal,
    trace: ["call of a campaign", call.run_id],
  });
  if (answer.failure === "aborted") return void (await releaseCalls(workDb, [call]).catch(() => {}));
  const outcome = outcomeOf(answer, call.attempts + 1, Math.random(), ground.clock.now());
  ground.metrics.campaignCalls.inc({ outcome: outcome.kind });
  if (outcome.kind === "retry") {
    await writeEnd(lease, () => repeatCall(workDb, call, outcome.waitMs, refusalOf(answer)));
    return;
  }
  const end = endOf(outcome.kind, answer);
  // The write is repeated, so that a database that is unreachable for a moment does not cause a second call.
  await writeEnd(lease, () =>
    workDb.transaction(async (tx) => {
      const woken = await settleCall(tx, call, end, ground.clock.now());
      if (woken.length > 0) tx.signal(RUNS_DUE, [call.campaign_id]);
    }),
  );
}

type Received = Pick<SignedAnswer, "status" | "headers" | "body" | "error" | "scrub">;

/** Returns what a call that is over came to, as it is stored. */
export const endOf = (
  state: "answered" | "failed",
  answer: Received,
): { state: "answered" | "failed"; answer: CallAnswer } => ({
  state,
  answer: state === "answered" ? { status: answer.status, response: responseOf(answer) } : refusalOf(answer),
});

const refusalOf = ({ status, error, body, scrub }: Received): CallAnswer => ({
  status,
  ...(error !== null && { error }),
  ...(body.length > 0 && { text: scrub(readable(body)).slice(0, MOST_TEXT).toWellFormed() }),
});
