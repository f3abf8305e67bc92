import { type Device, devicesFor } from "../../people/index.ts";
import type { Ground } from "../../platform/ground.ts";
import { encodeId } from "../../platform/ids.ts";
import { fairShare } from "../../platform/limits/fair-share.ts";
import { traced } from "../../platform/tracing/index.ts";
import { type Connection, type Turn, takeTurn, type Wait } from "../connection/connection.ts";
import { outgoingOf } from "../message/email.ts";
import type { Content, EmailMessage, Job, PushMessage, SmsMessage } from "../message/message.ts";
import { referenceTo } from "../feedback/reference.ts";
import type { HandOff, Outgoings, Provider } from "../providers/protocol/provider.ts";
import type { Outcome } from "../queue/retry.ts";
import { trackerOf } from "../tracking/links.ts";
import type { Held } from "./held.ts";

/** How one attempt ended, and at which provider; `by` is undefined where none was asked. */
export interface AttemptResult {
  outcome: Outcome;
  by: Connection | undefined;
  /** Push: how it ended for each device, for the log. */
  devices?: Record<string, unknown>[];
  /** Push: ids of the devices whose token is dead. */
  dead?: string[];
}

/** The unit of one hand-off: the whole delivery, or the part of a push for one device. */
interface Piece {
  /** Whether this provider can deliver it. */
  reaches(provider: Provider): boolean;
  /** Returns the message as this provider gets it, or a text that says why it can't be sent at all. */
  message(provider: Provider): Promise<Outgoings[Job["channel"]] | string>;
}

/** What a delivery is handed over with. */
export interface HandOverContext {
  ground: Ground;
  /** In the order in which they are asked. */
  providers: Connection[];
  /** Called right before a provider gets the message; false where it must not. */
  begin(held: Held): Promise<boolean>;
}

/**
 * Hands a delivery to the providers in their order, each within its own places, until one takes or refuses it. A provider that
 * rests is passed over. A provider that is only behind its rate is waited for, because the next may cost more.
 * @returns a Wait where no provider was asked; undefined where the lease was lost, and nothing more may be done
 */
export async function handOver(
  context: HandOverContext,
  held: Held,
  content: Content,
): Promise<AttemptResult | Wait | undefined> {
  if (held.job.channel === "push") return handOverPush(context, held, content as PushMessage);
  return handOverPiece(context, held, pieceOf(context.ground, held.job, content));
}

function pieceOf(ground: Ground, job: Job, content: Content): Piece {
  if (job.channel === "sms") {
    const message = { to: job.recipient, body: (content as SmsMessage).body };
    return { reaches: () => true, message: async () => message };
  }
  const message = content as EmailMessage;
  const track = trackerOf(ground, job, message);
  const base = { deliveryId: encodeId("dlv", job.deliveryId), to: job.recipient, message, track };
  const turn = { workspaceId: job.workspaceId, kind: job.bulk ? "bulk" : "sending" } as const;
  return {
    reaches: () => true,
    message: (provider) => outgoingOf({ ...base, turn, fallbackSender: provider.fallbackSender }),
  };
}

/** Reason of a push that no provider of its workspace can take to a device. */
export const NO_REACH = "no provider reaches the device: add one of a kind that its platform needs";

async function handOverPiece(
  context: HandOverContext,
  held: Held,
  piece: Piece,
): Promise<AttemptResult | Wait | undefined> {
  let handed: AttemptResult | undefined;
  let wait: Wait | undefined;
  const reaching = context.providers.filter(({ provider }) => piece.reaches(provider));
  if (reaching.length === 0) return { outcome: { kind: "refused", reason: NO_REACH, unasked: true }, by: undefined };
  for (const connection of reaching) {
    const turn = await takeTurn(connection, held);
    if (!turn) return undefined;
    if ("waitMs" in turn) {
      const sooner = Math.min(turn.waitMs, wait?.waitMs ?? turn.waitMs);
      // A provider that works and is only behind its rate is the cause of the wait, and not the others that rest.
      if (!wait || turn.why === "rate" || turn.waitMs < wait.waitMs) wait = { ...turn, waitMs: sooner };
      if (turn.why === "rate") break;
      continue;
    }
    const { kind } = connection.provider;
    const outcome = await traced(
      context.ground.traces,
      ["hand over", { kind: "client", attributes: { "tidings.provider": kind } }],
      () => endTurn(turn, handOff(connection.provider, context, held, piece)),
      (ended) => ({ "tidings.outcome": ended?.kind }),
    );
    if (!outcome) return undefined;
    handed = { outcome, by: connection };
    context.ground.metrics.sends.inc({
      channel: held.job.channel,
      provider: kind,
      outcome: outcome.kind,
    });
    // If this provider may have the message, no other is asked: that would be a second copy at once.
    if (outcome.kind !== "retry") break;
  }
  return handed ?? wait ?? { outcome: { kind: "retry", reason: "no provider" }, by: undefined };
}

/** Hands over once. Returns undefined where the lease was lost before. */
async function handOff(
  provider: Provider,
  { begin, ground }: HandOverContext,
  held: Held,
  piece: Piece,
): Promise<Outcome | undefined> {
  const message = await piece.message(provider);
  if (typeof message === "string") return { kind: "refused", reason: message, unasked: true };
  if (!(await begin(held))) return undefined;
  const { job } = held;
  const deliveryId = encodeId("dlv", job.deliveryId);
  const reference = ground.db.distributed ? referenceTo(job) : deliveryId;
  return provider.hand({ job, deliveryId, reference, message } satisfies HandOff);
}

/** Ends a turn with the outcome of the hand-off, also where that failed on our side. */
async function endTurn(turn: Turn, handing: Promise<Outcome | undefined>): Promise<Outcome | undefined> {
  let outcome: Outcome | undefined;
  try {
    outcome = await handing;
    return outcome;
  } finally {
    turn.end(outcome);
  }
}

/** Devices of a person that get a push at once: a person with twenty must neither wait twenty times as long nor take all places. */
const DEVICES = 8;
/** How many of these may be at one host of browsers, where each may need a connection of its own. */
const OF_ONE_HOST = 2;

/**
 * Hands a push over once for each device, to several devices at once. The delivery is sent when one hand-off is; while none is,
 * it is tried again as long as one may work later. The settlement disables dead tokens. The delivery waits as a whole only
 * where no device was tried.
 */
async function handOverPush(
  context: HandOverContext,
  held: Held,
  content: PushMessage,
): Promise<AttemptResult | Wait | undefined> {
  const { job } = held;
  const devices = await devicesFor(context.ground.workDb, job.personKey, job.recipient);
  if (devices.length === 0) return { outcome: { kind: "refused", reason: "no device left to send to" }, by: undefined };
  const tried: (AttemptResult & { device: Device })[] = [];
  const waits: (Wait & { device: Device })[] = [];
  const turns = fairShare({ of: "devices", most: DEVICES, each: OF_ONE_HOST, held: Number.POSITIVE_INFINITY });
  const results = await allOf(
    devices.map((device) =>
      turns.run(hostOf(device), async () => {
        const handed = await handOverPiece(context, held, pieceFor(device, content));
        return handed && { device, handed };
      }),
    ),
  );
  for (const result of results) {
    if (!result) return undefined;
    const { device, handed } = result;
    if (!("waitMs" in handed)) tried.push({ ...handed, device });
    else waits.push({ ...handed, device });
  }
  const [wait] = waits.sort((a, b) => a.waitMs - b.waitMs);
  if (wait && tried.length === 0) return wait;
  for (const { device, by, waitMs: afterMs } of waits)
    tried.push({ device, by, outcome: { kind: "retry", reason: "its provider rests", afterMs } });
  const order = ["sent", "unknown", "retry", "refused", "unregistered"] as const;
  const kinds = tried.map(({ outcome }) => outcome.kind);
  const best = order.map((kind) => tried[kinds.indexOf(kind)]).find((entry) => entry !== undefined) as AttemptResult;
  const dead = tried.filter(({ outcome }) => outcome.kind === "unregistered").map(({ device }) => device.id);
  return { outcome: best.outcome, by: best.by, devices: tried.map(deviceLogOf), dead };
}

/** Waits for all promises, also where one fails, so that no hand-off goes on after the caller. @throws the first error */
async function allOf<T>(promises: Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}

/** Returns the host of a browser's device. Each other device is a group of its own: those share few connections to one service. */
const hostOf = ({ id, subscription }: Device): string =>
  subscription && URL.canParse(subscription.endpoint) ? new URL(subscription.endpoint).host : id;

const deviceLogOf = ({ device, outcome, by }: AttemptResult & { device: Device }) => ({
  platform: device.platform,
  outcome: outcome.kind,
  ...(by && { provider: by.provider.kind }),
  ...("reason" in outcome && { reason: outcome.reason }),
});

const pieceFor = (device: Device, content: PushMessage): Piece => ({
  reaches: (provider) => provider.reaches?.(device) ?? true,
  message: async () => ({ ...content, device }),
});
