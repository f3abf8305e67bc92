import { type Device, devicesFor } from "../../people/index.ts";
import type { Ground } from "../../platform/ground.ts";
import { encodeId } from "../../platform/ids.ts";
import { fairShare } from "../../platform/limits/fair-share.ts";
import { type Connection, takeTurn, type Turn, type Wait } from "../connection/connection.ts";
import { outgoingOf } from "../message/email.ts";
import type { Content, EmailMessage, Job, PushMessage, SmsMessage } from "../message/message.ts";
import type { HandOff, Outgoings, Provider } from "../providers/protocol/provider.ts";
import type { Outcome } from "../queue/retry.ts";
import { trackerOf } from "../tracking/links.ts";
import type { Held } from "./held.ts";

/** How one attempt ended, and which provider said so; undefined where none was asked. */
export interface AttemptResult {
  outcome: Outcome;
  by: Connection | undefined;
  /** Push: how it ended for each device, for the log. */
  devices?: Record<string, unknown>[];
  /** Push: ids of the devices whose token is dead. */
  dead?: string[];
}

/** What is handed over once: the whole delivery, or a push's part for one of the devices. */
interface Piece {
  reaches(provider: Provider): boolean;
  /** The message as this provider gets it, or the reason why it can't be sent at all. */
  message(provider: Provider): Promise<Outgoings[Job["channel"]] | string>;
}

/** With what deliveries are handed over. */
export interface HandOverContext {
  ground: Ground;
  /** In the order in which they are asked. */
  providers: Connection[];
  /** Called right before a provider is given the message; false where it must not be. */
  begin(held: Held): Promise<boolean>;
}

/**
 * Hands a delivery to the providers in their order, each within its own share of hand-offs, until one takes or refuses it.
 * One that rests is passed over; one that is only behind its rate is waited for, since the next may cost more.
 * Gives undefined where the lease was lost, and nothing more may be done; a Wait where nobody was asked.
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

/** Why a push fails that no provider of its workspace can take to a device. */
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
      // One that works is waited for, if only because of its rate: it is not the rests of others that hold it up.
      if (!wait || turn.why === "rate" || turn.waitMs < wait.waitMs) wait = { ...turn, waitMs: sooner };
      if (turn.why === "rate") break;
      continue;
    }
    const outcome = await endTurn(turn, handOff(connection.provider, context, held, piece));
    if (!outcome) return undefined;
    handed = { outcome, by: connection };
    context.ground.metrics.sends.inc({
      channel: held.job.channel,
      provider: connection.provider.kind,
      outcome: outcome.kind,
    });
    // Who may have it already is not asked again through another: that would be a second copy at once.
    if (outcome.kind !== "retry") break;
  }
  return handed ?? wait ?? { outcome: { kind: "retry", reason: "no provider" }, by: undefined };
}

/** One hand-off; undefined where the lease was lost before it. */
async function handOff(
  provider: Provider,
  { begin }: HandOverContext,
  held: Held,
  piece: Piece,
): Promise<Outcome | undefined> {
  const message = await piece.message(provider);
  if (typeof message === "string") return { kind: "refused", reason: message, unasked: true };
  if (!(await begin(held))) return undefined;
  const { job } = held;
  return provider.hand({ job, deliveryId: encodeId("dlv", job.deliveryId), message } satisfies HandOff);
}

/** Ends a turn with what the hand-off gave, also where it failed on our side. */
async function endTurn(turn: Turn, handing: Promise<Outcome | undefined>): Promise<Outcome | undefined> {
  let outcome: Outcome | undefined;
  try {
    outcome = await handing;
    return outcome;
  } finally {
    turn.end(outcome);
  }
}

/** Devices of a person that are handed to at once: who has twenty must not wait twenty times as long, or take all places. */
const DEVICES = 8;
/** Of these at one host of browsers, each of which may be a connection of its own. */
const OF_ONE_HOST = 2;

/**
 * One hand-off a device, several at once. The delivery is sent when one of them is; while none is, it is tried again as long
 * as one may work later. Dead tokens are disabled by who settles. It waits as a whole only where no device was tried.
 */
async function handOverPush(
  context: HandOverContext,
  held: Held,
  content: PushMessage,
): Promise<AttemptResult | Wait | undefined> {
  const { job } = held;
  const devices = await devicesFor(context.ground.workDb, job.personKey, job.recipient);
  if (devices.length === 0) return { outcome: { kind: "refused", reason: "no device left to send to" }, by: undefined };
  const all: (AttemptResult & { device: Device })[] = [];
  const waits: (Wait & { device: Device })[] = [];
  const turns = fairShare({ of: "devices", most: DEVICES, each: OF_ONE_HOST, held: Number.POSITIVE_INFINITY });
  const ends = await allOf(
    devices.map((device) =>
      turns.run(hostOf(device), async () => {
        const handed = await handOverPiece(context, held, pieceFor(device, content));
        return handed && { device, handed };
      }),
    ),
  );
  for (const end of ends) {
    if (!end) return undefined;
    const { device, handed } = end;
    if (!("waitMs" in handed)) all.push({ ...handed, device });
    else waits.push({ ...handed, device });
  }
  const [wait] = waits.sort((a, b) => a.waitMs - b.waitMs);
  if (wait && all.length === 0) return wait;
  for (const { device, by, waitMs: afterMs } of waits)
    all.push({ device, by, outcome: { kind: "retry", reason: "its provider rests", afterMs } });
  const order = ["sent", "unknown", "retry", "refused", "unregistered"] as const;
  const kinds = all.map(({ outcome }) => outcome.kind);
  const best = order.map((kind) => all[kinds.indexOf(kind)]).find((entry) => entry !== undefined) as AttemptResult;
  const dead = all.filter(({ outcome }) => outcome.kind === "unregistered").map(({ device }) => device.id);
  return { outcome: best.outcome, by: best.by, devices: all.map(deviceLogOf), dead };
}

/** Waits for all of them, also where one fails, so that nothing goes on behind the back of who called. @throws the first error */
async function allOf<T>(under: Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(under);
  return Promise.all(under);
}

/** Where a browser's device is reached; applications' all go over few connections to one service, and are their own. */
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
