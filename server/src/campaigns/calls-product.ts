import { CallSecret, SecretRotated, SecretRotation } from "@tidings/contract/webhooks";
import type { Ground } from "../platform/ground.ts";
import { type App, bodyOptional } from "../platform/http/index.ts";
import { encodeId } from "../platform/ids.ts";
import { recordChange } from "../platform/resources/changes.ts";
import { creating } from "../platform/resources/idempotency.ts";
import { originOf, workspaceOf } from "../workspaces/index.ts";
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
      const now = clock.now();
      return creating(db, { request, reply, scope, now, seal }, async (tx) => {
        const made = await rotateSecret(tx, ground, scope, request.body.overlap_hours);
        await recordChange(tx, originOf(request), {
          action: "workspace.call_secret_changed",
          resource: { type: "workspace", id: encodeId("ws", scope), name: request.caller.workspace.name },
          changes: [{ field: "/call_secret", from: "changed", to: "changed" }],
          now,
        });
        return made;
      });
    },
  );
}
