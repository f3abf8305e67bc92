import { Broadcast, BroadcastRecalled, ScheduleInput, SendInput } from "@tidings/contract/messages/broadcasts";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import type { Tx } from "../platform/db/index.ts";
import type { Ground } from "../platform/ground.ts";
import { type App, bodyOptional } from "../platform/http/index.ts";
import { type Authored, answered, TAGGED } from "../platform/resources/authored.ts";
import { changing } from "../platform/resources/changes.ts";
import { originOf, type Workspace } from "../workspaces/index.ts";
import type { BroadcastRow } from "./definition/store.ts";
import { refuseEmpty } from "./empty.ts";
import type { BroadcastPath } from "./inspect-product.ts";
import { cancel, pause, recall, resume, schedule, send } from "./lifecycle.ts";

const params = Type.Object({ id: Type.String() });
const tags = ["broadcasts"];

type Verb = (tx: Tx, workspace: Workspace, id: string, now: Date) => Promise<BroadcastRow>;
const verbs: Record<string, { verb: Verb; done: string; summary: string }> = {
  pause: { verb: pause, done: "paused", summary: "Pause it: nothing more is queued after the answer" },
  resume: { verb: resume, done: "resumed", summary: "Resume a paused one" },
  cancel: { verb: cancel, done: "canceled", summary: "Cancel it; queued deliveries stay" },
};

type Lifecycle = BroadcastPath & { kind: Authored<BroadcastRow> };

interface Move {
  done: string;
  verb: Verb;
  allowEmpty?: boolean | undefined;
}

/** Returns the handler that moves the broadcast of its request, and answers with it. */
function mover(ground: Ground, { idOf, kind }: Lifecycle) {
  const { db, clock } = ground;
  return async (request: FastifyRequest, reply: FastifyReply, { done, verb, allowEmpty = true }: Move) => {
    const { workspace } = request.caller;
    const id = idOf((request.params as { id: string }).id);
    const now = clock.now();
    const change = { origin: originOf(request), done, id, now };
    const row = await db.transaction(async (tx) => {
      const after = await changing(tx, kind, change, () => verb(tx, workspace, id, now));
      // The empty audience is checked last, so that any other error is reported first.
      if (!allowEmpty) await refuseEmpty(ground, after);
      return after;
    });
    return answered(reply, kind, row);
  };
}

/** The routes that move a broadcast from one status to the next. Each answers 409 `wrong_status` if the move is impossible. */
export function lifecycleRoutes(app: App, ground: Ground, lifecycle: Lifecycle): void {
  const { path, idOf, kind } = lifecycle;
  const moved = mover(ground, lifecycle);

  app.post(
    `${path}/send`,
    {
      config: { needs: "send" },
      preValidation: bodyOptional,
      schema: { summary: "Send it now", ...TAGGED, tags, params, body: SendInput, response: { 200: Broadcast } },
    },
    (request, reply) =>
      moved(request, reply, { done: "started", verb: send, allowEmpty: request.body.allow_empty ?? false }),
  );

  for (const [name, { verb, done, summary }] of Object.entries(verbs)) {
    app.post(
      `${path}/${name}`,
      { config: { needs: "send" }, schema: { summary, ...TAGGED, tags, params, response: { 200: Broadcast } } },
      (request, reply) => moved(request, reply, { done, verb }),
    );
  }

  app.post(
    `${path}/schedule`,
    {
      config: { needs: "send" },
      schema: {
        summary: "Schedule it for a time, or for each person's local time",
        ...TAGGED,
        tags,
        params,
        body: ScheduleInput,
        response: { 200: Broadcast },
      },
    },
    (request, reply) => {
      const { body: input } = request;
      const verb: Verb = (tx, workspace, id, now) => schedule(tx, workspace, { id, input, now });
      return moved(request, reply, { done: "scheduled", verb, allowEmpty: input.allow_empty ?? false });
    },
  );

  app.post(
    `${path}/recall`,
    {
      config: { needs: "send" },
      schema: {
        summary:
          "Recall its deliveries that are not dismissed, and cancel the rest; open applications remove them at once",
        ...TAGGED,
        tags,
        params,
        response: { 200: BroadcastRecalled },
      },
    },
    (request) =>
      recall(ground, request.caller.workspace, { id: idOf(request.params.id), kind, origin: originOf(request) }),
  );
}
