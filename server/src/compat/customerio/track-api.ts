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
import { createIntake, type Intake } from "../../ingest/index.ts";
import type { App } from "../../platform/http/index.ts";
import type { Ignore } from "../ignored.ts";
import type { CompatGround } from "../ground.ts";
import { describedAs, mayWrite } from "./answers.ts";
import {
  addDevice,
  erase,
  identify,
  merge,
  type Reporter,
  removeDevice,
  suppressPerson,
  track,
  unsuppressPerson,
} from "./operations.ts";
import { keyedByRepeats } from "./repeats.ts";
import { type Target, target, targetOfPath } from "./who.ts";

/** Routes that an application may call with the public key, too. */
const PUBLIC = { access: "public", needs: "ingest" } as const;
const INGEST = { needs: "ingest" } as const;

/** Finds the person in the path of a request. @throws Problem key_not_permitted if its key may not write that person */
type Who = (request: FastifyRequest) => Promise<Target>;

/** What the routes of this file share. */
interface TrackParts {
  ground: CompatGround;
  intake: Intake;
  who: Who;
}

/** The routes that `TrackClient` calls. The password is a Tidings key and the site id can be any text; some routes accept a public key. */
export function trackApi(app: App, ground: CompatGround, ignore: Ignore): void {
  const who: Who = async (request) => {
    const found = await targetOfPath(ground, request.caller.workspace, (request.params as { id: string }).id);
    mayWrite(request, found.personId);
    return found;
  };
  const parts = { ground, intake: createIntake(ground), who };
  people(app, parts);
  events(app, parts, ignore);
  devices(app, parts);

  const region = { ...describedAs("Show the address of the service"), response: { 200: CustomerioRegion } };
  app.get("/accounts/region", { config: PUBLIC, schema: region }, async () => ({
    url: `${ground.config.publicUrl}/compat/customerio`,
    region: "tidings",
    environment_id: 0,
  }));
}

const reporterOf = ({ caller, vouch }: FastifyRequest): Reporter => ({ caller, vouch });

function people(app: App, { ground, intake, who }: TrackParts): void {
  app.put(
    "/customers/:id",
    {
      config: PUBLIC,
      schema: { ...describedAs("Create or update a person"), params: CustomerioPath, body: CustomerioAttributes },
    },
    async (request) => {
      await identify(intake, reporterOf(request), await who(request), { data: request.body });
      return {};
    },
  );

  const erasing = { ...describedAs("Erase a person"), params: CustomerioPath };
  app.delete("/customers/:id", { config: INGEST, schema: erasing }, async (request) => {
    await erase(ground, request.caller.workspace, await who(request));
    return {};
  });

  for (const [verb, work, summary] of [
    ["suppress", suppressPerson, "Stop all messages to this person"],
    ["unsuppress", unsuppressPerson, "Allow messages to this person again"],
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
}

function events(app: App, { ground, intake, who }: TrackParts, ignore: Ignore): void {
  const { rejections } = ground;
  app.post(
    "/customers/:id/events",
    {
      config: PUBLIC,
      schema: { ...describedAs("Record an event of a person"), params: CustomerioPath, body: CustomerioEvent },
    },
    async (request) => {
      const found = await who(request);
      const id = request.body.id ?? (await keyedByRepeats(ground, request)).key;
      for (const outcome of await track(intake, reporterOf(request), found, { event: request.body, id }))
        rejections.outcome(request, outcome, request.body);
      return {};
    },
  );

  // An event without a person. Tidings needs a person_id, so the client gets the answer that it expects, and the event is counted and ignored.
  const anonymous = { ...describedAs("An event without a person: counted and ignored"), body: CustomerioEvent };
  app.post("/events", { config: PUBLIC, schema: anonymous }, async (request) => {
    ignore("customerio", "anonymous", request, { data: request.body });
    return {};
  });
}

function devices(app: App, { ground, who }: TrackParts): void {
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

  // A wildcard, because a token may be longer than a named part of a path may be (768).
  app.delete(
    "/customers/:id/devices/*",
    { config: PUBLIC, schema: { ...describedAs("Remove a device"), params: CustomerioDevicePath } },
    async (request) => {
      await removeDevice(ground, request.caller.workspace, await who(request), request.params["*"]);
      return {};
    },
  );
}
