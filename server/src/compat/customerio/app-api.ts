import {
  CustomerioAttributesQuery,
  CustomerioFound,
  CustomerioPath,
  CustomerioPerson,
  CustomerioSearch,
} from "@tidings/contract/compat";
import { devicesOf, findPeople, idsByEmail, normalEmail, type Person, personView } from "../../people/index.ts";
import type { Ground } from "../../platform/ground.ts";
import { type App, Problem } from "../../platform/http/index.ts";
import type { Trigger } from "../../transactionals/index.ts";
import { sends } from "./sends.ts";
import { describedAs } from "./answers.ts";
import { cioIdOf, targetOfType } from "./who.ts";

/** Customer.io returns everybody with the address. A mailbox that more people share is not a person. */
const MOST_SHARING = 100;

/** The routes that `APIClient` calls: the three sends, and people by address or id. They need a secret key, as Bearer. */
export function appApi(app: App, ground: Ground, trigger: Trigger): void {
  sends(app, ground, trigger);

  const found = { ...describedAs("List the people with an email address"), response: { 200: CustomerioFound } };
  app.get("/customers", { schema: { ...found, querystring: CustomerioSearch } }, async (request) => {
    const { workspace } = request.caller;
    const email = normalEmail(request.query.email);
    if (!email) return { results: [] };
    const ids = await idsByEmail(ground.db, workspace.id, email, MOST_SHARING);
    const people = await findPeople(
      ground.db,
      ids.map((id) => ({ workspaceId: workspace.id, id })),
    );
    return {
      results: people.flatMap((person) =>
        person ? [{ email: person.email, id: person.person_id, cio_id: cioIdOf(person) }] : [],
      ),
    };
  });

  app.get(
    "/customers/:id/attributes",
    {
      schema: {
        ...describedAs("Get a person, with devices"),
        params: CustomerioPath,
        querystring: CustomerioAttributesQuery,
        response: { 200: CustomerioPerson },
      },
    },
    async (request) => {
      const { workspace } = request.caller;
      const { person } = await targetOfType(ground, workspace, request.params.id, request.query.id_type ?? "id");
      if (!person) throw new Problem("person_not_found", "This workspace knows no such person.");
      return { customer: await customer(ground, person) };
    },
  );
}

async function customer(ground: Ground, person: Person) {
  const devices = await devicesOf(ground.db, person.person_key);
  const { person_id: _, subscribed, ...attributes } = personView(person);
  const changed = Math.floor(person.updated_at.getTime() / 1000);
  return {
    id: person.person_id,
    identifiers: { id: person.person_id, email: person.email, cio_id: cioIdOf(person) },
    attributes: { ...attributes, cio_id: cioIdOf(person) },
    timestamps: Object.fromEntries(Object.keys(attributes).map((name) => [name, changed])),
    unsubscribed: !subscribed,
    devices: devices.map((device) => ({
      id: device.token,
      platform: device.platform,
      last_used: Math.floor(device.last_used_at.getTime() / 1000),
    })),
  };
}
