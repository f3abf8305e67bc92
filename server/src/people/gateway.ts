import { DeviceInput, DeviceRegistered, DeviceRemoval } from "@tidings/contract/facts/people";
import { Type } from "typebox";
import type { Ground } from "../platform/ground.ts";
import type { App } from "../platform/http/index.ts";
import { encodeId } from "../platform/ids.ts";
import { personKey } from "../workspaces/index.ts";
import { registerDevice } from "./devices/devices.ts";
import { deleteDevice } from "./devices/devices-store.ts";
import { newPeopleLimit } from "./profile/newcomers.ts";

/** PUT and DELETE /v1/devices. `ingest` mounts them beside identify, track and batch, because it keeps the data that they refuse. */
export function deviceRoutes(app: App, ground: Ground): void {
  const config = { access: "public", needs: "ingest" } as const;

  app.put(
    "/v1/devices",
    {
      config,
      schema: {
        summary: "Register a device for push",
        tags: ["people"],
        body: DeviceInput,
        response: { 200: DeviceRegistered },
      },
    },
    async (request) => {
      const id = await ground.db.transaction((tx) =>
        registerDevice(tx, ground, newPeopleLimit(request.caller), { input: request.body, now: ground.clock.now() }),
      );
      return { device_id: encodeId("dev", id) };
    },
  );

  app.delete(
    "/v1/devices",
    {
      config,
      schema: { summary: "Remove a device", tags: ["people"], body: DeviceRemoval, response: { 204: Type.Null() } },
    },
    async (request, reply) => {
      const { person_id, token } = request.body;
      await deleteDevice(ground.db, personKey(request.caller.workspace.id, person_id), token);
      return reply.code(204).send(null);
    },
  );
}
