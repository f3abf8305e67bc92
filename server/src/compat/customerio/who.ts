import type { CustomerioIdentifiers } from "@tidings/contract/compat";
import {
  ambiguous,
  findNamed,
  findPeople,
  findPersonByKey,
  isPersonId,
  isShared,
  normalEmail,
  type Person,
} from "../../people/index.ts";
import type { Ground } from "../../platform/ground.ts";
import { badField, Problem } from "../../platform/http/index.ts";
import type { Workspace } from "../../workspaces/index.ts";

// Customer.io names a person by `id`, `email` or its own `cio_id`. Here the `cio_id` is the person's key, which is computed from the
// workspace and the person_id and so never changes.

/** The person whom an identifier means. `email` is set if the person would be new and is named only by this address. */
export interface Target {
  personId: string;
  person: Person | undefined;
  email?: string;
}

const CIO_ID = /^(?:cio_)?([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/;

/** Returns the person's key as Customer.io writes a cio_id: bare hex. */
export const cioIdOf = (person: Person): string => person.person_key.replaceAll("-", "");

/** Finds the person by the first of `id`, `cio_id` and `email` that the call has. @throws Problem invalid_request */
export function target(ground: Ground, workspace: Workspace, identifiers: CustomerioIdentifiers): Promise<Target> {
  const { id, email, cio_id } = identifiers;
  if (id !== undefined) return byId(ground, workspace, String(id));
  if (cio_id !== undefined) return byCioId(ground, workspace, cio_id);
  if (email !== undefined) return byEmail(ground, workspace, email);
  throw badField("/identifiers", "must have one of id, email and cio_id");
}

/** Finds the person by the text in a path: `cio_...`, an id, or an email address that is nobody's id. */
export async function targetOfPath(ground: Ground, workspace: Workspace, text: string): Promise<Target> {
  if (text.startsWith("cio_") && CIO_ID.test(text)) return byCioId(ground, workspace, text);
  const found = await byId(ground, workspace, text);
  return found.person || !normalEmail(text) ? found : byEmail(ground, workspace, text);
}

/** Finds the person by a text whose type is in the query as `id_type`. */
export const targetOfType = (ground: Ground, workspace: Workspace, text: string, type: string): Promise<Target> =>
  type === "email"
    ? byEmail(ground, workspace, text)
    : type === "cio_id"
      ? byCioId(ground, workspace, text)
      : byId(ground, workspace, text);

async function byId({ db }: Ground, workspace: Workspace, personId: string): Promise<Target> {
  if (!isPersonId(personId)) {
    throw badField("/identifiers/id", "must have 1 to 256 characters and no control characters");
  }
  const [person] = await findPeople(db, [{ workspaceId: workspace.id, id: personId }]);
  return { personId, person };
}

async function byEmail(ground: Ground, workspace: Workspace, text: string): Promise<Target> {
  const email = normalEmail(text);
  if (!email) throw badField("/identifiers/email", "is not an email address");
  const [person] = await findNamed(ground.db, [{ workspaceId: workspace.id, email }]);
  if (isShared(person)) throw ambiguous(person);
  if (person) return { personId: person.person_id, person };
  // As in a trigger: a person who is named only by an address has the address as person_id.
  return { ...(await byId(ground, workspace, email)), email };
}

async function byCioId({ db }: Ground, workspace: Workspace, text: string): Promise<Target> {
  const key = CIO_ID.exec(text)?.slice(1).join("-");
  const person = key === undefined ? undefined : await findPersonByKey(db, workspace.id, key);
  if (!person) throw new Problem("person_not_found", "This workspace knows no person with this cio_id.");
  return { personId: person.person_id, person };
}
