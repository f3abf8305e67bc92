import { CustomerioEmail, CustomerioPush, CustomerioSent, CustomerioSms } from "@tidings/contract/compat";
import type { Triggered } from "@tidings/contract/messages/transactionals";
import type { FastifyRequest } from "fastify";
import type { Ground } from "../../platform/ground.ts";
import { type App, badField, Problem } from "../../platform/http/index.ts";
import { largeBodiesInTurns } from "../../platform/limits/hold-turn.ts";
import type { Trigger } from "../../transactionals/index.ts";
import { describedAs } from "./answers.ts";
import { emailOf, pushOf, type Recipient, smsOf } from "./messages.ts";
import { keyedByRepeats } from "./repeats.ts";
import { target } from "./who.ts";

const MIB = 1024 * 1024;
const sending = (summary: string) => ({ ...describedAs(summary), response: { 200: CustomerioSent } });

/** POST /send/email, /send/push and /send/sms: triggers with the answers of Customer.io. */
export function sends(app: App, ground: Ground, trigger: Trigger): void {
  type Call = Parameters<Trigger["one"]>[0];

  async function send(request: FastifyRequest, call: Pick<Call, "channel" | "input">) {
    const { workspace } = request.caller;
    const { answer } = await trigger.one({ ...call, workspace, keyed: await keyedByRepeats(ground, request) } as Call);
    const { delivery_id, queued_at } = answer.body as Triggered;
    return { delivery_id, queued_at: Math.floor(Date.parse(queued_at) / 1000) };
  }

  app.post(
    "/send/email",
    {
      config: { needs: "send" },
      bodyLimit: 20 * MIB,
      preParsing: largeBodiesInTurns(ground.shares.bodies, ({ caller }) => caller.workspace.id),
      schema: { ...sending("Send one email to one person"), body: CustomerioEmail },
    },
    async (request) => {
      if (request.body.attachments === undefined && (request.bodyBytes ?? 0) > MIB) {
        throw new Problem("payload_too_large", "Only attachments may take a call over 1 MiB.");
      }
      return send(request, { channel: "email", input: emailOf(request.body, await recipientOf(ground, request)) });
    },
  );

  app.post(
    "/send/push",
    { config: { needs: "send" }, schema: { ...sending("Send one push to one person"), body: CustomerioPush } },
    async (request) =>
      send(request, { channel: "push", input: pushOf(request.body, await recipientOf(ground, request)) }),
  );

  app.post(
    "/send/sms",
    { config: { needs: "send" }, schema: { ...sending("Send one text message to one person"), body: CustomerioSms } },
    async (request) =>
      send(request, { channel: "sms", input: smsOf(request.body, await recipientOf(ground, request)) }),
  );
}

/** Returns the recipient of a call. The trigger finds or creates people by id and address itself; only a cio_id is resolved here. */
async function recipientOf(ground: Ground, request: FastifyRequest): Promise<Recipient> {
  const { identifiers } = request.body as { identifiers: { id?: string | number; email?: string; cio_id?: string } };
  const { id, email, cio_id } = identifiers;
  if (id !== undefined) return { id: String(id) };
  if (cio_id !== undefined) return { id: (await target(ground, request.caller.workspace, { cio_id })).personId };
  if (email === undefined) throw badField("/identifiers", "must have an id, a cio_id or an email");
  return { email };
}
