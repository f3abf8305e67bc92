import {
  MemberNamePatch,
  PasswordInput,
  PasswordProof,
  PasswordResetCompletion,
  PasswordResetInput,
  RecoveryCodes,
  SecondFactor,
  SecondFactorConfirmation,
  SessionAnswer,
} from "@tidings/contract/members";
import { Type } from "typebox";
import type { App } from "../platform/http/index.ts";
import { changeName } from "./account/name.ts";
import { changePassword, completeReset, proven } from "./account/new-password.ts";
import { mailReset } from "./account/reset.ts";
import { beginSecondFactor, confirmSecondFactor, dropSecondFactor } from "./factors/second-factor.ts";
import type { MembersGround } from "./ground.ts";
import { describeSession } from "./session/describe.ts";
import { fromOf } from "./session/request.ts";

const tags = ["account"];
const NOTHING = { 204: Type.Null() };

/** New passwords by a mailed link, which need no session. */
export function resets(app: App, ground: MembersGround): void {
  app.post(
    "/password-resets",
    {
      schema: {
        summary: "Ask for a link that sets a new password",
        description:
          "Always 202. The link is mailed if the account is a member of one workspace only, and that workspace has a real email provider; otherwise the operator makes one with `tidings members reset-link`.",
        tags,
        security: [],
        body: PasswordResetInput,
        response: { 202: Type.Object({}) },
      },
    },
    async (request, reply) => {
      await mailReset(ground, request.body.email, fromOf(request, ground).address);
      return reply.code(202).send({});
    },
  );

  app.post(
    "/password-resets/complete",
    {
      schema: {
        summary: "Set a new password by the token of a link; all sessions of the member end",
        tags,
        security: [],
        body: PasswordResetCompletion,
        response: NOTHING,
      },
    },
    async (request, reply) => {
      await completeReset(ground, request.body, fromOf(request, ground).address);
      return reply.code(204).send(null);
    },
  );
}

/** The own account: name, password and second factor. */
export function account(app: App, ground: MembersGround): void {
  const { db } = ground;
  app.patch(
    "/member",
    { schema: { summary: "Change the own name", tags, body: MemberNamePatch, response: { 200: SessionAnswer } } },
    async ({ session, body }) => {
      await changeName(ground, session.member_id, body.name);
      return describeSession({ ...session, name: body.name });
    },
  );

  app.post(
    "/password",
    {
      schema: {
        summary: "Change the own password; the other sessions end",
        tags,
        body: PasswordInput,
        response: NOTHING,
      },
    },
    async (request, reply) => {
      await changePassword(ground, request.session, request.body, fromOf(request, ground).address);
      return reply.code(204).send(null);
    },
  );

  app.post(
    "/second-factor",
    {
      schema: {
        summary: "Make a secret for an authenticator application, which counts once it is confirmed",
        tags,
        response: { 200: SecondFactor },
      },
    },
    ({ session }) =>
      db.transaction((tx) => beginSecondFactor(tx, ground, { id: session.member_id, email: session.email })),
  );

  app.post(
    "/second-factor/confirm",
    {
      schema: {
        summary: "Confirm the secret with a code, and get the recovery codes",
        tags,
        body: SecondFactorConfirmation,
        response: { 200: RecoveryCodes },
      },
    },
    async ({ session, body }) => ({
      recovery_codes: await confirmSecondFactor(ground, session, body.code),
    }),
  );

  app.delete(
    "/second-factor",
    {
      schema: {
        summary: "Remove the second factor with its recovery codes",
        tags,
        body: PasswordProof,
        response: NOTHING,
      },
    },
    async (request, reply) => {
      const { session, body } = request;
      await proven(ground, session, { password: body.password, at: "/password" }, fromOf(request, ground).address);
      await dropSecondFactor(ground, session);
      return reply.code(204).send(null);
    },
  );
}
