import { CallSecret, SecretRotated, SecretRotation } from "@tidings/contract/webhooks";
import type { Ground } from "../platform/ground.ts";
import { type App, bodyOptional } from "../platform/http/index.ts";
import { creating } from "../platform/resources/idempotency.ts";
import { workspaceOf } from "../workspaces/index.ts";
import { rotateSecret, shownSecret } from "./calls/secret.ts";

const tags = ["campaigns"];

/** Routes of the secret that signs the calls of webhook steps. */
export function callRoutes(app: App, ground: Ground, path: string): void {
  const { db, clock, seal } = ground;

  app.get(
    `${path}/webhook-secret`,
    {
      config: { needs: "admin" },
      schema: {
        summary: "Get the secret that signs the calls of webhook steps",
        tags,
        response: { 200: CallSecret },
      },
    },
    (request) => shownSecret(db, ground, workspaceOf(request)),
  );

  app.post(
    `${path}/webhook-secret`,
    {
      config: { needs: "admin" },
      preValidation: bodyOptional,
      schema: {
        summary: "Create a new secret for the calls of webhook steps; the previous one also signs for a while",
        tags,
        body: SecretRotation,
        response: { 201: SecretRotated },
      },
    },
    (request, reply) => {
      const scope = workspaceOf(request);
      return creating(db, { request, reply, scope, now: clock.now(), seal }, (tx) =>
        rotateSecret(tx, ground, scope, request.body.overlap_hours),
      );
    },
  );
}
