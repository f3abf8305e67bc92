import {
  CustomerioAttributes,
  CustomerioDevice,
  CustomerioDevicePath,
  CustomerioEvent,
  CustomerioMerge,
  CustomerioPath,
  CustomerioRegion,
} from "@tidings/contract/compat";
import type { FastifyRequest } from "fastify";
import { createIntake, type Rejections } from "../../ingest/index.ts";
import type { Ground } from "../../platform/ground.ts";
import type { App } from "../../platform/http/index.ts";
import type { ConnectedGround } from "../../workspaces/index.ts";
import type { Ignored } from "../ignored.ts";
import { describedAs, mayWrite } from "./answers.ts";
import {
  addDevice,
  erase,
  identify,
  merge,
  removeDevice,
  suppressPerson,
  type Teller,
  track,
  unsuppressPerson,
} from "./operations.ts";
import { keyedByRepeats } from "./repeats.ts";
import { type Target, target, targetOfPath } from "./who.ts";

/** What an application in people's hands may call too. */
const PUBLIC = { access: "public", needs: "ingest" } as const;
const INGEST = { needs: "ingest" } as const;

/** What `TrackClient` calls. A Tidings key, as the password behind any site id; some routes take a public one. */
export function trackApi(app: App, ground: ConnectedGround, ignored: Ignored, rejections: Rejections): void {
  const intake = createIntake(ground);

  async function who(request: FastifyRequest): Promise<Target> {
    const found = await targetOfPath(ground, request.caller.workspace, (request.params as { id: string }).id);
    mayWrite(request, found.personId);
    return found;
  }

  app.put(
    "/customers/:id",
    {
      config: PUBLIC,
      schema: { ...describedAs("Create or update a person"), params: CustomerioPath, body: CustomerioAttributes },
    },
    async (request) => {
      await identify(intake, tellerOf(request), await who(request), request.body);
      return {};
    },
  );

  const erasing = { ...describedAs("Erase a person"), params: CustomerioPath };
  app.delete("/customers/:id", { config: INGEST, schema: erasing }, async (request) => {
    await erase(ground, request.caller.workspace, await who(request));
    return {};
  });

  for (const [verb, work, summary] of [
    ["suppress", suppressPerson, "Send this person nothing any more"],
    ["unsuppress", unsuppressPerson, "Take that back"],
  ] as const) {
    app.post(
      `/customers/:id/${verb}`,
      { config: INGEST, schema: { ...describedAs(summary), params: CustomerioPath } },
      async (request) => {
        await work(ground, intake, request.caller, await who(request));
        return {};
      },
    );
  }

  const merging = { ...describedAs("Merge two people: the primary one stays"), body: CustomerioMerge };
  app.post("/merge_customers", { config: INGEST, schema: merging }, async (request) => {
    const { workspace } = request.caller;
    const { primary, secondary } = request.body;
    await merge(
      ground,
      workspace,
      await target(ground, workspace, primary),
      await target(ground, workspace, secondary),
    );
    return {};
  });

  app.post(
    "/customers/:id/events",
    {
      config: PUBLIC,
      schema: { ...describedAs("Record an event of a person"), params: CustomerioPath, body: CustomerioEvent },
    },
    async (request) => {
      const found = await who(request);
      const name = request.body.id ?? (await keyedByRepeats(ground, request)).key;
      for (const outcome of await track(intake, tellerOf(request), found, request.body, name))
        rejections.outcome(request, outcome, request.body);
      return {};
    },
  );

  // An event of nobody: a person_id is required here, so it is answered as the client expects, counted, and left out.
  const anonymous = { ...describedAs("An event without a person: counted and ignored"), body: CustomerioEvent };
  app.post("/events", { config: PUBLIC, schema: anonymous }, async (request) => {
    ignored("customerio", "anonymous", request, { data: request.body });
    return {};
  });

  devices(app, ground, who);

  const region = { ...describedAs("Show the address of the service"), response: { 200: CustomerioRegion } };
  app.get("/accounts/region", { config: PUBLIC, schema: region }, async () => ({
    url: `${ground.config.publicUrl}/compat/customerio`,
    region: "tidings",
    environment_id: 0,
  }));
}

const tellerOf = ({ caller, vouch }: FastifyRequest): Teller => ({ caller, vouch });

function devices(app: App, ground: Ground, who: (request: FastifyRequest) => Promise<Target>): void {
  app.put(
    "/customers/:id/devices",
    {
      config: PUBLIC,
      schema: { ...describedAs("Register a device for push"), params: CustomerioPath, body: CustomerioDevice },
    },
    async (request) => {
      await addDevice(ground, request.caller, await who(request), request.body);
      return {};
    },
  );

  // A wildcard, because a token may be longer than what a named part of a path may be (768).
  app.delete(
    "/customers/:id/devices/*",
    { config: PUBLIC, schema: { ...describedAs("Remove a device"), params: CustomerioDevicePath } },
    async (request) => {
      await removeDevice(ground, request.caller.workspace, await who(request), request.params["*"]);
      return {};
    },
  );
}
