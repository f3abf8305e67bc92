import { CustomerioBatch, CustomerioBatchErrors, CustomerioDone, CustomerioOperation } from "@tidings/contract/compat";
import type { FastifyRequest } from "fastify";
import { createIntake, type Intake } from "../../ingest/index.ts";
import type { Static } from "typebox";
import { type App, badField, checkShape, Problem } from "../../platform/http/index.ts";
import type { ConnectedGround, Caller } from "../../workspaces/index.ts";
import type { Ignore } from "../ignored.ts";
import type { CompatGround } from "../ground.ts";
import { describedAs, mayWrite } from "./answers.ts";
import {
  addDevice,
  erase,
  identify,
  merge,
  removeDevice,
  suppressPerson,
  track,
  unsuppressPerson,
} from "./operations.ts";
import { keyedByRepeats } from "./repeats.ts";
import { type Target, target } from "./who.ts";

const PUBLIC = { access: "public", needs: "ingest" } as const;
const BATCH = { ...PUBLIC, items: (body: Static<typeof CustomerioBatch>) => body.batch.length };
const checkOperation = checkShape(CustomerioOperation);

/** The routes that `TrackClient.batch` and `.entity` call: operations with their kind in the body. */
export function operationsApi(app: App, ground: CompatGround, ignore: Ignore): void {
  const { rejections } = ground;
  const carryOut = operations(ground, ignore);

  const one = { ...describedAs("Carry out one operation, which is named in the body"), body: CustomerioOperation };
  app.post("/entity", { config: PUBLIC, schema: one }, async (request) => {
    await carryOut(request, { data: request.body, id: (await keyedByRepeats(ground, request)).key });
    return {};
  });

  const many = {
    ...describedAs("Carry out up to 1,000 operations"),
    body: CustomerioBatch,
    response: { 200: CustomerioDone, 207: CustomerioBatchErrors },
  };
  // As in Customer.io: a bad operation does not spoil the others. It is listed with its index, and the status is 207.
  app.post("/batch", { config: BATCH, schema: many }, async (request, reply) => {
    const { key } = await keyedByRepeats(ground, request);
    const errors: Static<typeof CustomerioBatchErrors>["errors"] = [];
    for (const [at, item] of request.body.batch.entries()) {
      try {
        await carryOut(request, { data: item, id: `${key} ${at}`, item: at });
      } catch (error) {
        if (!(error instanceof Problem) || error.status >= 500) throw error;
        rejections.refuse(request, error, item, at);
        const field = error.options.errors?.[0]?.pointer?.slice(1).replaceAll("/", ".") ?? "";
        errors.push({ batch_index: at, reason: "invalid", field, message: error.message });
      }
    }
    return errors.length > 0 ? reply.code(207).send({ errors }) : {};
  });
}

/** One operation as it came. */
interface Sent {
  data: unknown;
  /** Equal for this operation and for its marked repeats. */
  id: string;
  /** Its index in a batch. */
  item?: number;
}

/** Returns the function that carries out one operation. */
function operations(ground: CompatGround, ignore: Ignore) {
  const intake = createIntake(ground);

  async function ofOnePerson(request: FastifyRequest, operation: CustomerioOperation, sent: Sent): Promise<void> {
    const { caller, vouch } = request;
    const reporter = { caller, vouch };
    const who = await target(ground, caller.workspace, operation.identifiers ?? {});
    mayWrite(request, who.personId);
    const device = { id: operation.device?.token ?? operation.device?.id ?? "", platform: "", ...operation.device };
    switch (operation.action) {
      case "identify":
        return identify(intake, reporter, who, { data: operation.attributes ?? {}, timestamp: operation.timestamp });
      case "event":
      case "page":
      case "screen":
        for (const outcome of await track(intake, reporter, who, {
          event: eventOf(operation),
          id: operation.id ?? sent.id,
        }))
          ground.rejections.outcome(request, outcome, sent.data, sent.item);
        return;
      case "add_device":
        return addDevice(ground, caller, who, { device: { ...device, id: device.token ?? device.id } });
      case "delete_device":
        return removeDevice(ground, caller.workspace, who, device.token ?? device.id);
      case "delete":
      case "suppress":
      case "unsuppress":
        if (caller.kind !== "secret") throw secretOnly();
        return END[operation.action](ground, intake, caller, who);
      default:
        throw badField(
          "/action",
          `is ${operation.action}, which Tidings does not have; docs/migrate.md lists the actions that it has`,
        );
    }
  }

  return async (request: FastifyRequest, sent: Sent): Promise<void> => {
    const operation = checkOperation(sent.data);
    if (operation.type !== "person")
      throw badField("/type", "must be person: Tidings has no objects and relationships");
    if (["event", "page", "screen"].includes(operation.action) && anonymous(operation)) {
      ignore("customerio", "anonymous", request, sent);
      return;
    }
    if (operation.action === "merge") {
      if (request.caller.kind !== "secret") throw secretOnly();
      const { primary, secondary } = operation;
      if (!primary || !secondary) throw badField("/primary", "and /secondary must both name a person");
      const { workspace } = request.caller;
      return merge(
        ground,
        workspace,
        await target(ground, workspace, primary),
        await target(ground, workspace, secondary),
      );
    }
    return ofOnePerson(request, operation, sent);
  };
}

/** Operations that need a secret key. */
const END = {
  delete: (ground: ConnectedGround, _intake: Intake, { workspace }: Caller, who: Target) =>
    erase(ground, workspace, who),
  suppress: suppressPerson,
  unsuppress: unsuppressPerson,
};

const secretOnly = (): Problem =>
  new Problem("key_not_permitted", "To delete, suppress, unsuppress or merge people, use a secret key (tid_sec_...).");

function anonymous({ identifiers }: CustomerioOperation): boolean {
  const { id, email, cio_id } = identifiers ?? {};
  return id === undefined && email === undefined && cio_id === undefined;
}

function eventOf({ action, name, attributes, timestamp }: CustomerioOperation) {
  if (!name) throw badField("/name", "is required");
  return {
    name,
    type: action,
    data: attributes ?? {},
    ...(timestamp !== undefined && { timestamp }),
  };
}
