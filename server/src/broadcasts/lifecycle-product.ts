import { Broadcast, BroadcastRecalled, ScheduleInput, SendInput } from "@tidings/contract/messages/broadcasts";
import { type Static, Type } from "typebox";
import type { Tx } from "../platform/db/index.ts";
import type { Ground } from "../platform/ground.ts";
import { type App, bodyOptional } from "../platform/http/index.ts";
import type { Workspace } from "../workspaces/index.ts";
import type { BroadcastRow } from "./definition/store.ts";
import { refuseEmpty } from "./empty.ts";
import type { BroadcastPath } from "./inspect-product.ts";
import { cancel, pause, recall, resume, schedule, send } from "./lifecycle.ts";

const params = Type.Object({ id: Type.String() });
const tags = ["broadcasts"];

type Verb = (tx: Tx, workspace: Workspace, id: string, now: Date) => Promise<BroadcastRow>;
const verbs: Record<string, { verb: Verb; summary: string }> = {
  pause: { verb: pause, summary: "Pause it: nothing more is queued after the answer" },
  resume: { verb: resume, summary: "Resume a paused one" },
  cancel: { verb: cancel, summary: "Cancel it; queued deliveries stay" },
};

/** The routes that move a broadcast from one status to the next. Each answers 409 `wrong_status` if the move is impossible. */
export function lifecycleRoutes(
  app: App,
  ground: Ground,
  { path, idOf, shape }: BroadcastPath & { shape(row: BroadcastRow): Static<typeof Broadcast> },
): void {
  const { db, clock } = ground;
  // The empty audience is checked last, so that any other error is reported first.
  const unlessEmpty = ({ allow_empty = false }: { allow_empty?: boolean }, move: (tx: Tx) => Promise<BroadcastRow>) =>
    db.transaction(async (tx) => {
      const row = await move(tx);
      if (!allow_empty) await refuseEmpty(ground, row);
      return row;
    });

  app.post(
    `${path}/send`,
    {
      config: { needs: "send" },
      preValidation: bodyOptional,
      schema: { summary: "Send it now", tags, params, body: SendInput, response: { 200: Broadcast } },
    },
    async (request) => {
      const { workspace } = request.caller;
      const id = idOf(request.params.id);
      return shape(await unlessEmpty(request.body, (tx) => send(tx, workspace, id, clock.now())));
    },
  );

  for (const [name, { verb, summary }] of Object.entries(verbs)) {
    app.post(
      `${path}/${name}`,
      { config: { needs: "send" }, schema: { summary, tags, params, response: { 200: Broadcast } } },
      async (request) => {
        const { workspace } = request.caller;
        const id = idOf(request.params.id);
        return shape(await db.transaction((tx) => verb(tx, workspace, id, clock.now())));
      },
    );
  }

  app.post(
    `${path}/schedule`,
    {
      config: { needs: "send" },
      schema: {
        summary: "Schedule it for a time, or for each person's local time",
        tags,
        params,
        body: ScheduleInput,
        response: { 200: Broadcast },
      },
    },
    async (request) => {
      const { workspace } = request.caller;
      const id = idOf(request.params.id);
      return shape(
        await unlessEmpty(request.body, (tx) => schedule(tx, workspace, { id, input: request.body, now: clock.now() })),
      );
    },
  );

  app.post(
    `${path}/recall`,
    {
      config: { needs: "send" },
      schema: {
        summary:
          "Recall its deliveries that are not dismissed, and cancel the rest; open applications remove them at once",
        tags,
        params,
        response: { 200: BroadcastRecalled },
      },
    },
    (request) => recall(ground, request.caller.workspace, idOf(request.params.id)),
  );
}
