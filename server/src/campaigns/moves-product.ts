import { ActivateInput, Campaign, CampaignProblems } from "@tidings/contract/campaigns/campaigns";
import { type Static, Type } from "typebox";
import type { Tx } from "../platform/db/index.ts";
import type { Ground } from "../platform/ground.ts";
import { type App, bodyOptional } from "../platform/http/index.ts";
import type { Workspace } from "../workspaces/index.ts";
import type { CampaignRow } from "./definition/store.ts";
import { activate, archive, pause, resume, validate } from "./moves.ts";

const params = Type.Object({ id: Type.String() });
const tags = ["campaigns"];

type StatusChange = (tx: Tx, workspace: Workspace, id: string, now: Date) => Promise<CampaignRow>;
const statusChanges: Record<string, { change: StatusChange; summary: string }> = {
  pause: { change: pause, summary: "Pause it: its people stay where they are and nobody enters" },
  resume: { change: resume, summary: "Resume a paused one; each wait keeps the time that was left" },
  archive: { change: archive, summary: "Archive it and end all of its runs" },
};

/** The path of one campaign's routes, and the shape in which they answer it. */
interface CampaignRoutes {
  path: string;
  idOf: (text: string) => string;
  shape: (row: CampaignRow) => Static<typeof Campaign>;
}

/** Routes that change a campaign's status. Each answers 409 `wrong_status` where the status does not allow it. */
export function moveRoutes(app: App, { db, clock }: Ground, { path, idOf, shape }: CampaignRoutes): void {
  app.post(
    `${path}/validate`,
    {
      config: { needs: "read" },
      schema: {
        summary: "List the problems that prevent its activation, each with its step",
        tags,
        params,
        response: { 200: CampaignProblems },
      },
    },
    async (request) => {
      const { workspace } = request.caller;
      const id = idOf(request.params.id);
      return { problems: await validate(db, workspace, id, clock.now()) };
    },
  );

  app.post(
    `${path}/activate`,
    {
      config: { needs: "send" },
      preValidation: bodyOptional,
      schema: {
        summary: "Activate it: publish the draft and let people enter",
        tags,
        params,
        body: ActivateInput,
        response: { 200: Campaign },
      },
    },
    async (request) => {
      const { workspace } = request.caller;
      const id = idOf(request.params.id);
      const { inside } = request.body;
      return shape(await db.transaction((tx) => activate(tx, workspace, { id, inside, now: clock.now() })));
    },
  );

  for (const [name, { change, summary }] of Object.entries(statusChanges)) {
    app.post(
      `${path}/${name}`,
      { config: { needs: "send" }, schema: { summary, tags, params, response: { 200: Campaign } } },
      async (request) => {
        const { workspace } = request.caller;
        const id = idOf(request.params.id);
        return shape(await db.transaction((tx) => change(tx, workspace, id, clock.now())));
      },
    );
  }
}
