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

type Verb = (tx: Tx, workspace: Workspace, id: string, now: Date) => Promise<CampaignRow>;
const verbs: Record<string, { verb: Verb; summary: string }> = {
  pause: { verb: pause, summary: "Hold everybody where they are, and let nobody in" },
  resume: { verb: resume, summary: "Go on with a paused one; waits are as long as they were" },
  archive: { verb: archive, summary: "End it, and take everybody out" },
};

/** Where the routes of one campaign are, and how they show it. */
interface CampaignRoutes {
  path: string;
  idOf: (text: string) => string;
  shape: (row: CampaignRow) => Static<typeof Campaign>;
}

/** What moves a campaign from one status to the next, each 409 `wrong_status` where it can't be. */
export function moveRoutes(app: App, { db, clock }: Ground, { path, idOf, shape }: CampaignRoutes): void {
  app.post(
    `${path}/validate`,
    {
      config: { needs: "read" },
      schema: {
        summary: "Everything that stands against activating it, with the steps",
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
        summary: "Publish what is written, and let people in",
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

  for (const [name, { verb, summary }] of Object.entries(verbs)) {
    app.post(
      `${path}/${name}`,
      { config: { needs: "send" }, schema: { summary, tags, params, response: { 200: Campaign } } },
      async (request) => {
        const { workspace } = request.caller;
        const id = idOf(request.params.id);
        return shape(await db.transaction((tx) => verb(tx, workspace, id, clock.now())));
      },
    );
  }
}
