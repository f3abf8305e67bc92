import { ActivateInput, Campaign, CampaignProblems, CampaignVersionList } from "@tidings/contract/campaigns/campaigns";
import { ListQuery } from "@tidings/contract/primitives";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import type { Tx } from "../platform/db/index.ts";
import type { Ground } from "../platform/ground.ts";
import { type App, bodyOptional, decodeCursor, notFound, page } from "../platform/http/index.ts";
import { type Authored, answered, TAGGED } from "../platform/resources/authored.ts";
import { changing } from "../platform/resources/changes.ts";
import { inListTurns } from "../platform/resources/interactive.ts";
import { originOf, type Workspace } from "../workspaces/index.ts";
import { byId, type CampaignRow } from "./definition/store.ts";
import { type PublicationRow, publicationsOf } from "./definition/version-store.ts";
import { activate, archive, pause, resume, validate } from "./moves.ts";

const params = Type.Object({ id: Type.String() });
const tags = ["campaigns"];

type StatusChange = (tx: Tx, workspace: Workspace, id: string, now: Date) => Promise<CampaignRow>;
const statusChanges: Record<string, { change: StatusChange; done: string; summary: string }> = {
  pause: { change: pause, done: "paused", summary: "Pause it: its people stay where they are and nobody enters" },
  resume: { change: resume, done: "resumed", summary: "Resume a paused one; each wait keeps the time that was left" },
  archive: { change: archive, done: "archived", summary: "Archive it and end all of its runs" },
};

/** The path of one campaign's routes, and the shape in which they answer it. */
interface CampaignRoutes {
  path: string;
  idOf: (text: string) => string;
  kind: Authored<CampaignRow>;
}

const publicationShape = ({ version, inside, published_by, created_at }: PublicationRow) => ({
  version,
  activated_at: created_at.toISOString(),
  activated_by: published_by,
  inside,
});

/** The route that lists who published what. */
export function versionRoute(app: App, ground: Ground, { path, idOf }: Pick<CampaignRoutes, "path" | "idOf">): void {
  app.get(
    `${path}/versions`,
    {
      schema: {
        summary: "List its published versions with who published them, newest first",
        tags,
        params,
        querystring: Type.Object(ListQuery),
        response: { 200: CampaignVersionList },
      },
    },
    async (request) => {
      const { limit = 50, cursor } = request.query;
      const before = decodeCursor(cursor, "integer")?.[0];
      const campaignId = idOf(request.params.id);
      const workspaceId = request.caller.workspace.id;
      const q = inListTurns(ground, workspaceId);
      if (!(await byId(q, workspaceId, campaignId))) throw notFound("campaign");
      const rows = await publicationsOf(q, { workspaceId, campaignId, before, limit: limit + 1 });
      return page(rows, limit, ({ version }) => [String(version)], publicationShape);
    },
  );
}

/** Routes that change a campaign's status. Each answers 409 `wrong_status` where the status does not allow it. */
export function moveRoutes(app: App, { db, clock }: Ground, { path, idOf, kind }: CampaignRoutes): void {
  /** Changes the status of the campaign that the request names, and answers with it. */
  const moved = async (request: FastifyRequest, reply: FastifyReply, done: string, change: StatusChange) => {
    const id = idOf((request.params as { id: string }).id);
    const now = clock.now();
    const row = await db.transaction((tx) =>
      changing(tx, kind, { origin: originOf(request), done, id, now }, () =>
        change(tx, request.caller.workspace, id, now),
      ),
    );
    return answered(reply, kind, row);
  };

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
        ...TAGGED,
        tags,
        params,
        body: ActivateInput,
        response: { 200: Campaign },
      },
    },
    (request, reply) => {
      const { inside } = request.body;
      return moved(request, reply, "activated", (tx, workspace, id, now) =>
        activate(tx, workspace, { id, inside, by: originOf(request).actor, now }),
      );
    },
  );

  for (const [name, { change, done, summary }] of Object.entries(statusChanges)) {
    app.post(
      `${path}/${name}`,
      { config: { needs: "send" }, schema: { summary, ...TAGGED, tags, params, response: { 200: Campaign } } },
      (request, reply) => moved(request, reply, done, change),
    );
  }
}
