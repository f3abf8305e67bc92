import type { PushedChannel } from "@tidings/contract/messages/outbound";
import {
  type BatchItem,
  BatchTrigger,
  BatchTriggered,
  EmailTrigger,
  PushTrigger,
  SmsTrigger,
  Triggered,
} from "@tidings/contract/messages/transactionals";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Static } from "typebox";
import { type App, badField, checkShape, Problem, refuseUnknownParameters } from "../platform/http/index.ts";
import { largeBodiesInTurns } from "../platform/limits/hold-turn.ts";
import { keyOf, replay } from "../platform/resources/idempotency.ts";
import type { Workspace } from "../workspaces/index.ts";
import type { Input } from "./channels/channel.ts";
import type { TriggerCall } from "./prepare.ts";
import { type Mark, marker } from "./repeats.ts";
import type { TransactionalsGround } from "./trigger.ts";

const MIB = 1024 * 1024;
const tags = ["transactionals"];
const response = { 202: Triggered };

/** @throws Problem payload_too_large */
function withinLimit(request: FastifyRequest, attachments: boolean): void {
  if (attachments || (request.bodyBytes ?? 0) <= MIB) return;
  throw new Problem(
    "payload_too_large",
    "The body is over the limit of 1 MiB; only attachments may take it to 20 MiB.",
  );
}

const shapes = { email: checkShape(EmailTrigger), push: checkShape(PushTrigger), sms: checkShape(SmsTrigger) };

/** Converts an item of a batch into a call. @throws Problem invalid_request naming the field */
function readItem(workspace: Workspace, item: BatchItem, mark: Mark | undefined): TriggerCall {
  const { channel, ...input } = item;
  if (channel !== "email" && channel !== "push" && channel !== "sms") {
    throw badField("/channel", "must be email, push or sms");
  }
  return { channel, workspace, input: shapes[channel](input), keyed: undefined, mark };
}

/** POST /transactionals/email, /push, /sms and /batch, secret key only. */
export function gateway(app: App, ground: TransactionalsGround): void {
  app.register(async (scope: App) => {
    scope.addHook("onRequest", refuseUnknownParameters);
    const parts: Parts = {
      trigger: ground.trigger,
      markOf: marker(ground),
      preParsing: largeBodiesInTurns(ground.shares.bodies, ({ caller }) => caller.workspace.id),
    };
    triggerRoutes(scope, parts);
    batchRoute(scope, parts);
  });
}

/** What the routes share. */
interface Parts {
  trigger: TransactionalsGround["trigger"];
  markOf: ReturnType<typeof marker>;
  preParsing: ReturnType<typeof largeBodiesInTurns>;
}

/** One message to one person. */
function triggerRoutes(app: App, { trigger, markOf, preParsing }: Parts): void {
  async function answer(channel: PushedChannel, request: FastifyRequest, reply: FastifyReply): Promise<never> {
    const { workspace } = request.caller;
    const input = request.body as Input;
    const keyed = keyOf(request, workspace.id);
    const mark = keyed ? undefined : markOf(request, input);
    const result = await trigger.one({ channel, workspace, input, keyed, mark });
    if (result.replayed) return replay(reply, result.answer) as never;
    return reply.code(202).send(result.answer.body) as never;
  }

  app.post(
    "/transactionals/email",
    {
      config: { needs: "send" },
      bodyLimit: 20 * MIB,
      preParsing,
      schema: { summary: "Send one email to one person", tags, body: EmailTrigger, response },
    },
    (request, reply) => {
      withinLimit(request, request.body.attachments !== undefined);
      return answer("email", request, reply);
    },
  );

  app.post(
    "/transactionals/push",
    {
      config: { needs: "send" },
      schema: { summary: "Send one push to one person", tags, body: PushTrigger, response },
    },
    (request, reply) => answer("push", request, reply),
  );

  app.post(
    "/transactionals/sms",
    {
      config: { needs: "send" },
      schema: { summary: "Send one text message to one person", tags, body: SmsTrigger, response },
    },
    (request, reply) => answer("sms", request, reply),
  );
}

/** Many messages, each with its own result. */
function batchRoute(app: App, { trigger, markOf, preParsing }: Parts): void {
  app.post(
    "/transactionals/batch",
    {
      config: { needs: "send", items: (body: Static<typeof BatchTrigger>) => body.items.length },
      bodyLimit: 20 * MIB,
      preParsing,
      schema: {
        summary: "Send up to 100 messages, each with its own result",
        tags,
        body: BatchTrigger,
        response: { 200: BatchTriggered },
      },
    },
    async (request, reply) => {
      const { workspace } = request.caller;
      const { items } = request.body;
      withinLimit(
        request,
        items.some(({ attachments }) => attachments !== undefined),
      );
      const keyed = keyOf(request, workspace.id);
      const marks = keyed ? [] : items.map((item, at) => markOf(request, item, at));
      const mark = marks[0] && { bits: marks.map(({ bits }) => bits).join(""), repeat: marks[0].repeat };
      const read = (item: BatchItem, at: number) => readItem(workspace, item, marks[at]);
      const { answer, replayed } = await trigger.batch({ items, read, keyed, mark });
      if (replayed) return replay(reply, answer) as never;
      return reply.code(200).send(answer.body as never);
    },
  );
}
