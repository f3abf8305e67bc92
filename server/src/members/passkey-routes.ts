import {
  Passkey,
  PasskeyInput,
  PasskeyList,
  PasskeyOptions,
  PasskeyProof,
  PasskeySignIn,
  SessionAnswer,
} from "@tidings/contract/members";
import { Type } from "typebox";
import { type App, bodyOptional, notFound } from "../platform/http/index.ts";
import { decodeId } from "../platform/ids.ts";
import { provenAgain } from "./account/new-password.ts";
import {
  describePasskey,
  registerPasskey,
  registrationOptions,
  removePasskey,
  signInByPasskey,
  signInOptions,
} from "./factors/passkeys.ts";
import type { MembersGround } from "./ground.ts";
import { begun, fromOf } from "./session/request.ts";
import { passkeysOf } from "./store/passkey-store.ts";

const tags = ["passkeys"];

/** Sign-in by a passkey. */
export function passkeyEntrance(app: App, ground: MembersGround): void {
  app.post(
    "/session/passkey/options",
    {
      schema: {
        summary: "Get the options with which a browser asks for a passkey",
        tags,
        security: [],
        response: { 200: PasskeyOptions },
      },
    },
    async (request) => {
      await ground.members.attempts.count("challenge", "", fromOf(request, ground).address);
      return { options: (await signInOptions(ground)) as never };
    },
  );

  app.post(
    "/session/passkey",
    {
      schema: {
        summary: "Sign in with a passkey",
        tags,
        security: [],
        body: PasskeySignIn,
        response: { 200: SessionAnswer },
      },
    },
    async (request, reply) => {
      const token = await signInByPasskey(ground, request.body.credential, fromOf(request, ground));
      return begun(reply, ground, token);
    },
  );
}

/** The own passkeys. */
export function passkeys(app: App, ground: MembersGround): void {
  const { db } = ground;
  app.get(
    "/passkeys",
    { schema: { summary: "List the own passkeys, newest first", tags, response: { 200: PasskeyList } } },
    async ({ session }) => ({ data: (await passkeysOf(db, session.member_id)).map(describePasskey) }),
  );

  app.post(
    "/passkeys/options",
    {
      preValidation: bodyOptional,
      schema: {
        summary: "Get the options with which a browser makes a passkey",
        tags,
        body: PasskeyProof,
        response: { 200: PasskeyOptions },
      },
    },
    async (request) => {
      const { session, body } = request;
      await provenAgain(ground, session, body.password, fromOf(request, ground).address);
      return { options: (await registrationOptions(ground, session)) as never };
    },
  );

  app.post(
    "/passkeys",
    { schema: { summary: "Add a passkey", tags, body: PasskeyInput, response: { 201: Passkey } } },
    async ({ session, body }, reply) => {
      const { credential, name = "Passkey" } = body;
      return reply.code(201).send(describePasskey(await registerPasskey(ground, session, { credential, name })));
    },
  );

  app.delete(
    "/passkeys/:id",
    {
      schema: {
        summary: "Remove a passkey",
        tags,
        params: Type.Object({ id: Type.String() }),
        response: { 204: Type.Null() },
      },
    },
    async ({ session, params }, reply) => {
      const id = decodeId("psk", params.id);
      if (!id || !(await removePasskey(ground, session, id))) throw notFound("passkey");
      return reply.code(204).send(null);
    },
  );
}
