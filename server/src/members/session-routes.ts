import {
  InvitationAcceptance,
  SessionAnswer,
  SessionList,
  Setup,
  SetupInput,
  SignInInput,
} from "@tidings/contract/members";
import { Type } from "typebox";
import { type App, notFound } from "../platform/http/index.ts";
import { decodeId } from "../platform/ids.ts";
import { accept } from "./account/accept.ts";
import { endSession } from "./account/end.ts";
import { setUp } from "./account/setup.ts";
import { signIn } from "./account/sign-in.ts";
import type { MembersGround } from "./ground.ts";
import { setToken } from "./session/cookie.ts";
import { describeRow, describeSession } from "./session/describe.ts";
import { begun, fromOf, sessionOf } from "./session/request.ts";
import { idleSince, noSession } from "./session/sessions.ts";
import { anyMember } from "./store/account-store.ts";
import { sessionsOf } from "./store/session-store.ts";

/** Set-up and sign-in, which need no session. */
export function entrance(app: App, ground: MembersGround): void {
  app.get(
    "/setup",
    {
      schema: {
        summary: "Ask whether the service has no member yet",
        tags: ["session"],
        security: [],
        response: { 200: Setup },
      },
    },
    async () => ({ needed: !(await anyMember(ground.db)) }),
  );

  app.post(
    "/setup",
    {
      schema: {
        summary: "Make the first owner, with the one-time token that the start printed",
        tags: ["session"],
        security: [],
        body: SetupInput,
        response: { 201: SessionAnswer },
      },
    },
    async (request, reply) => {
      const token = await setUp(ground, request.body, fromOf(request, ground));
      return reply.code(201).send(await begun(reply, ground, token));
    },
  );

  app.post(
    "/session",
    {
      schema: {
        summary: "Sign in",
        tags: ["session"],
        security: [],
        body: SignInInput,
        response: { 200: SessionAnswer },
      },
    },
    async (request, reply) => begun(reply, ground, await signIn(ground, request.body, fromOf(request, ground))),
  );
}

const OF_ANY = { limitedSession: true };

/** Invitations, which new members accept without a session. */
export function invitations(app: App, ground: MembersGround): void {
  app.post(
    "/invitations/accept",
    {
      schema: {
        summary: "Accept an invitation by the token of its link",
        description:
          "Somebody new gives a password and is signed in. With an account that is in use, the member signs in first: otherwise 401.",
        tags: ["session"],
        security: [],
        body: InvitationAcceptance,
        response: { 200: SessionAnswer },
      },
    },
    async (request, reply) => {
      const session = await sessionOf(request, ground);
      const token = await accept(ground, request.body, session, fromOf(request, ground));
      if (token !== undefined) return begun(reply, ground, token);
      const same = await sessionOf(request, ground);
      if (!same) throw noSession();
      return describeSession(same);
    },
  );
}

/** The session of the request, and the other sessions of its member. */
export function sessions(app: App, ground: MembersGround): void {
  const { db, clock, config } = ground;
  app.get(
    "/session",
    {
      config: OF_ANY,
      schema: {
        summary: "Get the session: who is signed in, and for which workspaces",
        tags: ["session"],
        response: { 200: SessionAnswer },
      },
    },
    async ({ session }) => describeSession(session),
  );

  app.delete(
    "/session",
    { config: OF_ANY, schema: { summary: "Sign out", tags: ["session"], response: { 204: Type.Null() } } },
    async ({ session }, reply) => {
      await endSession(ground, session, session.id);
      setToken(reply, config, null);
      return reply.code(204).send(null);
    },
  );

  app.get(
    "/sessions",
    {
      config: OF_ANY,
      schema: {
        summary: "List the sessions of the member, the last used first",
        tags: ["session"],
        response: { 200: SessionList },
      },
    },
    async ({ session }) => {
      const now = clock.now();
      const rows = await sessionsOf(db, session.member_id, now, idleSince(now));
      return { data: rows.map((row) => describeRow(row, session.id)) };
    },
  );

  app.delete(
    "/sessions/:id",
    {
      config: OF_ANY,
      schema: {
        operationId: "endSession",
        summary: "End a session of the member",
        tags: ["session"],
        params: Type.Object({ id: Type.String() }),
        response: { 204: Type.Null() },
      },
    },
    async ({ session, params }, reply) => {
      const id = decodeId("ses", params.id);
      if (!id || !(await endSession(ground, session, id))) throw notFound("session");
      if (id === session.id) setToken(reply, config, null);
      return reply.code(204).send(null);
    },
  );
}
