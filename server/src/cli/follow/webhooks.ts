import { parseArgs } from "node:util";
import { createFetcher, signedCall } from "../../platform/outbound-http/index.ts";
import { newSecret, secretBytes } from "../../platform/standard-webhooks.ts";
import { systemClock } from "../../platform/time/clock.ts";
import { NOT_TRACED } from "../../platform/tracing/index.ts";
import { Refused } from "../terminal/refused.ts";
import { withClient } from "../workspaces/temporary-key.ts";
import { endOfFeed, type FedEvent, follow, untilInterrupted } from "./follow.ts";

/** The fewest bytes of a secret that Standard Webhooks allows. */
const SHORTEST_SECRET = 24;

/** `tidings webhooks listen`: calls an address on this machine with each new event, as the service calls an endpoint. */
export async function webhooks(args: string[]): Promise<void> {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      to: { type: "string" },
      secret: { type: "string" },
      url: { type: "string" },
      "secret-key": { type: "string" },
      workspace: { type: "string" },
      types: { type: "string" },
      json: { type: "boolean" },
    },
  });
  if (positionals.join(" ") !== "listen") throw new Refused("webhooks takes listen");
  const { types, json } = values;
  const to = receiverOf(values.to);
  const secret = secretOf(values.secret);
  const signal = untilInterrupted();
  const { fetchOut, close } = createFetcher({ allowPrivate: true });
  const ground = { fetchOut, clock: systemClock, traces: NOT_TRACED };
  const call = async (event: FedEvent) => {
    const { status, error, durationMs } = await signedCall(ground, {
      url: to,
      id: event.id,
      body: JSON.stringify(event),
      secrets: [secret],
      keptBytes: 0,
      signal,
      trace: ["call of a webhook", event.id],
    });
    const result = { event_id: event.id, type: event.type, status, error, duration_ms: durationMs };
    if (!signal.aborted) console.log(json ? JSON.stringify(result) : lineOf(event, result));
  };
  try {
    await withClient(
      "webhooks listen",
      values,
      async (client) => {
        const cursor = await endOfFeed(client);
        // Apart from the calls, so that `--json` prints nothing else on stdout.
        console.error(`${to} is called with each new event, until Ctrl-C.\nSigning secret: ${secret}`);
        await follow(client, cursor, { types, signal }, call);
      },
      { follows: true },
    );
  } finally {
    close();
  }
}

/** Returns the address of the receiver. @throws Refused */
function receiverOf(to: string | undefined): string {
  if (to === undefined) throw new Refused("listen takes the address to call: --to http://localhost:3000/webhooks");
  if (!/^https?:\/\//i.test(to) || !URL.canParse(to))
    throw new Refused(`--to ${to} is not an address such as http://localhost:3000/webhooks`);
  return to;
}

/** Returns the secret that signs: the one that is given, or a new one. @throws Refused */
function secretOf(given: string | undefined): string {
  if (given === undefined) return newSecret();
  if (!/^whsec_[A-Za-z0-9+/]+=*$/.test(given) || secretBytes(given).length < SHORTEST_SECRET)
    throw new Refused(`--secret takes whsec_ and at least ${SHORTEST_SECRET} bytes in base64`);
  return given;
}

const lineOf = (
  { timestamp, type, id }: FedEvent,
  { status, error, duration_ms }: { status: number | null; error: string | null; duration_ms: number },
): string => [timestamp, type.padEnd(18), id, error ?? `${status} in ${duration_ms} ms`].join("  ");
