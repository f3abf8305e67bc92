import { Member, MemberInput, MemberInvited, MemberList, MemberPatch } from "@tidings/contract/members";
import { ListQuery } from "@tidings/contract/primitives";
import { Type } from "typebox";
import { type App, decodeCursor, notFound, page } from "../platform/http/index.ts";
import { decodeId } from "../platform/ids.ts";
import { answered, listed, shown, TAGGED, tagOf, UNCHANGED } from "../platform/resources/authored.ts";
import { creating } from "../platform/resources/idempotency.ts";
import { inListTurns } from "../platform/resources/interactive.ts";
import { type Caller, originOf, workspaceOf } from "../workspaces/index.ts";
import { invitationLink } from "./account/links.ts";
import { changeRole, describeMember, invite, MEMBER, removeMember } from "./account/membership.ts";
import type { MembersGround } from "./ground.ts";
import { givenEmail } from "./proof/email.ts";
import { membership, membershipsOf } from "./store/account-store.ts";

const tags = ["members"];
const params = Type.Object({ id: Type.String() });
const config = { needs: "admin" } as const;

/** Who is a member of the workspace, and with which role. */
export function members(app: App, ground: MembersGround): void {
  readRoutes(app, ground);
  invitationRoute(app, ground);
  changeRoutes(app, ground);
}

function readRoutes(app: App, ground: MembersGround): void {
  app.get(
    "/members",
    {
      schema: {
        summary: "List the members of the workspace and the open invitations, newest first",
        tags,
        querystring: Type.Object(ListQuery),
        response: { 200: MemberList },
      },
    },
    async (request) => {
      const { limit = 50, cursor } = request.query;
      const before = decodeCursor(cursor, "uuid");
      const scope = workspaceOf(request);
      const rows = await membershipsOf(inListTurns(ground, scope), scope, before, limit + 1);
      return page(
        rows,
        limit,
        (row) => [row.member_id],
        (row) => listed(MEMBER, row, describeMember(row)),
      );
    },
  );

  app.get(
    "/members/:id",
    { schema: { summary: "Get a member", ...TAGGED, tags, params, response: { 200: Member, 304: UNCHANGED } } },
    async (request, reply) => {
      const row = await membership(ground.db, workspaceOf(request), idOf(request.params.id));
      if (!row) throw notFound("member");
      return shown(request, reply, MEMBER, row);
    },
  );
}

function invitationRoute(app: App, ground: MembersGround): void {
  const { db, clock, seal } = ground;
  app.post(
    "/members",
    {
      config,
      schema: {
        summary: "Invite somebody; the link is mailed where the workspace has a real email provider",
        ...TAGGED,
        tags,
        body: MemberInput,
        response: { 201: MemberInvited },
      },
    },
    async (request, reply) => {
      const scope = workspaceOf(request);
      const email = givenEmail(request.body.email);
      const now = clock.now();
      const mailed = await ground.letters.can(scope);
      const call = { request, reply, scope, now, seal, tagOf: memberTag };
      return creating(db, call, async (tx) => {
        const { row, token } = await invite(tx, originOf(request), { email, role: request.body.role }, now);
        const invite_url = invitationLink(ground.config.publicUrl, token);
        if (mailed) tx.afterCommit(() => mailInvitation(ground, request.caller, { to: row.email, link: invite_url }));
        return { ...describeMember(row), invite_url, mailed };
      });
    },
  );
}

function changeRoutes(app: App, { db, clock }: MembersGround): void {
  app.patch(
    "/members/:id",
    {
      config,
      schema: {
        operationId: "patchMemberRole",
        summary: "Change the role of a member",
        ...TAGGED,
        tags,
        params,
        body: MemberPatch,
        response: { 200: Member },
      },
    },
    async (request, reply) => {
      const change = { memberId: idOf(request.params.id), role: request.body.role };
      const row = await db.transaction((tx) => changeRole(tx, originOf(request), change, clock.now()));
      return answered(reply, MEMBER, row);
    },
  );

  app.delete(
    "/members/:id",
    {
      config,
      schema: {
        summary: "Remove a member from the workspace, or take an invitation back",
        ...TAGGED,
        tags,
        params,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const id = idOf(request.params.id);
      await db.transaction((tx) => removeMember(tx, originOf(request), id, clock.now()));
      return reply.code(204).send(null);
    },
  );
}

/** The tag of an answer that shows an invitation, without the link in it. */
const memberTag = (body: object): string => {
  const { invite_url: _, mailed: __, ...member } = body as Record<string, unknown>;
  return tagOf(MEMBER, member);
};

/** @throws Problem not_found */
function idOf(text: string): string {
  const id = decodeId("mem", text);
  if (!id) throw notFound("member");
  return id;
}

interface Invited {
  to: string;
  link: string;
}

function mailInvitation(ground: MembersGround, { workspace, actor }: Caller, { to, link }: Invited): void {
  const letter = {
    to,
    subject: `${workspace.name}: an invitation to Tidings`,
    text: `${actor.name} invites you to the workspace ${workspace.name}. Accept within seven days:\n\n${link}`,
  };
  const failed = (error?: unknown) =>
    ground.log.warn({ workspace_id: workspace.id, err: error && String(error) }, "an invitation could not be mailed");
  ground.letters.send(workspace.id, letter).then((sent) => sent || failed(), failed);
}
