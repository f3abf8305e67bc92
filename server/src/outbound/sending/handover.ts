import { type Device, devicesFor } from "../../people/index.ts";
import type { Ground } from "../../platform/ground.ts";
import { encodeId } from "../../platform/ids.ts";
import { fairShare } from "../../platform/limits/fair-share.ts";
import { type Hold, inTurn, type Opened, type Wait } from "../connection/opened.ts";
import { compose } from "../message/email.ts";
import type { Content, EmailMessage, Job, PushMessage, SmsMessage } from "../message/message.ts";
import type { HandOff, Outgoings, Provider } from "../providers/protocol/provider.ts";
import type { Outcome } from "../queue/retry.ts";
import { trackerOf } from "../tracking/links.ts";

/** How one attempt ended, and which provider said so; undefined where none was asked. */
export interface Handed {
  outcome: Outcome;
  by: Opened | undefined;
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

/**
 * Hands a delivery to the providers in their order, each within its own share of hand-offs, until one takes or refuses it.
 * One that rests is passed over; one that is only behind its rate is waited for, since the next may cost more.
 * Gives undefined where the lease was lost, and nothing more may be done; a Wait where nobody was asked.
 */
export async function handOver(
  ground: Ground,
  providers: Opened[],
  job: Job,
  content: Content,
  hold: Hold,
): Promise<Handed | Wait | undefined> {
  if (job.channel === "push") return pushed(ground, providers, job, content as PushMessage, hold);
  return carried(ground, providers, job, pieceOf(ground, job, content), hold);
}

function pieceOf(ground: Ground, job: Job, content: Content): Piece {
  if (job.channel === "sms") {
    const message = { to: job.recipient, body: (content as SmsMessage).body };
    return { reaches: () => true, message: async () => message };
  }
  const id = encodeId("dlv", job.deliveryId);
  const email = content as EmailMessage;
  const track = trackerOf(ground, job, email);
  const turn = { workspaceId: job.workspaceId, kind: job.bulk ? "bulk" : "sending" } as const;
  return {
    reaches: () => true,
    message: (provider) => compose(id, job.recipient, email, turn, provider.fallbackSender, track),
  };
}

/** Why a push fails that no provider of its workspace can take to a device. */
export const NO_REACH = "no provider reaches the device: add one of a kind that its platform needs";

async function carried(
  ground: Ground,
  providers: Opened[],
  job: Job,
  piece: Piece,
  hold: Hold,
): Promise<Handed | Wait | undefined> {
  const deliveryId = encodeId("dlv", job.deliveryId);
  let handed: Handed | undefined;
  let wait: Wait | undefined;
  const reaching = providers.filter(({ provider }) => piece.reaches(provider));
  if (reaching.length === 0) return { outcome: { kind: "refused", reason: NO_REACH, unasked: true }, by: undefined };
  for (const opened of reaching) {
    const ended = await inTurn(opened, hold, async (): Promise<Outcome | undefined> => {
      const message = await piece.message(opened.provider);
      if (typeof message === "string") return { kind: "refused", reason: message, unasked: true };
      if (!(await hold.begin())) return undefined;
      return opened.provider.hand({ job, deliveryId, message } satisfies HandOff);
    });
    if (!ended) return undefined;
    if ("waitMs" in ended) {
      const sooner = Math.min(ended.waitMs, wait?.waitMs ?? ended.waitMs);
      // One that works is waited for, if only because of its rate: it is not the rests of others that hold it up.
      if (!wait || ended.why === "rate" || ended.waitMs < wait.waitMs) wait = { ...ended, waitMs: sooner };
      if (ended.why === "rate") break;
      continue;
    }
    handed = { outcome: ended, by: opened };
    ground.metrics.sends.inc({ channel: job.channel, provider: opened.provider.kind, outcome: ended.kind });
    // Who may have it already is not asked again through another: that would be a second copy at once.
    if (ended.kind !== "retry") break;
  }
  return handed ?? wait ?? { outcome: { kind: "retry", reason: "no provider" }, by: undefined };
}

/** Devices of a person that are handed to at once: who has twenty must not wait twenty times as long, or take all places. */
const DEVICES = 8;
/** Of these at one host of browsers, each of which may be a connection of its own. */
const OF_ONE_HOST = 2;

/**
 * One hand-off a device, several at once. The delivery is sent when one of them is; while none is, it is tried again as long
 * as one may work later. Dead tokens are disabled by who settles. It waits as a whole only where no device was tried.
 */
async function pushed(
  ground: Ground,
  providers: Opened[],
  job: Job,
  content: PushMessage,
  hold: Hold,
): Promise<Handed | Wait | undefined> {
  const devices = await devicesFor(ground.workDb, job.personKey, job.recipient);
  if (devices.length === 0) return { outcome: { kind: "refused", reason: "no device left to send to" }, by: undefined };
  const all: (Handed & { device: Device })[] = [];
  const waits: (Wait & { device: Device })[] = [];
  const turns = fairShare({ of: "devices", most: DEVICES, each: OF_ONE_HOST, held: Number.POSITIVE_INFINITY });
  const ends = await allOf(
    devices.map((device) =>
      turns.run(hostOf(device), async () => {
        const handed = await carried(ground, providers, job, pieceFor(device, content), hold);
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
  const best = order.map((kind) => all[kinds.indexOf(kind)]).find((entry) => entry !== undefined) as Handed;
  const dead = all.filter(({ outcome }) => outcome.kind === "unregistered").map(({ device }) => device.id);
  return { outcome: best.outcome, by: best.by, devices: all.map(told), dead };
}

/** Waits for all of them, also where one fails, so that nothing goes on behind the back of who called. @throws the first error */
async function allOf<T>(under: Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(under);
  return Promise.all(under);
}

/** Where a browser's device is reached; applications' all go over few connections to one service, and are their own. */
const hostOf = ({ id, subscription }: Device): string =>
  subscription && URL.canParse(subscription.endpoint) ? new URL(subscription.endpoint).host : id;

const told = ({ device, outcome, by }: Handed & { device: Device }) => ({
  platform: device.platform,
  outcome: outcome.kind,
  ...(by && { provider: by.provider.kind }),
  ...("reason" in outcome && { reason: outcome.reason }),
});

const pieceFor = (device: Device, content: PushMessage): Piece => ({
  reaches: (provider) => provider.reaches?.(device) ?? true,
  message: async () => ({ ...content, device }),
});
