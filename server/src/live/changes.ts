import type { LiveChanged } from "@tidings/contract/live";
import type { FastifyRequest } from "fastify";
import type { Ground } from "../platform/ground.ts";
import type { App } from "../platform/http/index.ts";

/** The signal that calls of the product API changed resources, as "workspace:type:id". It is a hint. */
export const CHANGED = "live.changed";

/** Reads what `watchChanges` signals, without its workspace. */
export function changeOf(text: string): LiveChanged {
  const colon = text.indexOf(":");
  return { type: text.slice(0, colon), id: text.slice(colon + 1) || null };
}

/** Signals do not carry other ids, such as a person's, which may have any character. */
const ID = /^[a-z]+_[0-9a-z]{20,40}$/;

declare module "fastify" {
  interface FastifyRequest {
    /** The id of the resource that this call created. */
    createdId?: string | undefined;
  }
}

/** Signals each successful call of this scope's routes that changes something. Routes must be added to the scope after this. */
export function watchChanges(scope: App, { signals }: Pick<Ground, "signals">): void {
  scope.addHook("preSerialization", (request, reply, payload, done) => {
    const { id } = (payload ?? {}) as { id?: unknown };
    if (reply.statusCode === 201 && typeof id === "string") request.createdId = id;
    done(null, payload);
  });
  scope.addHook("onResponse", (request, reply, done) => {
    const changed = reply.statusCode < 300 && request.method !== "GET" && request.method !== "HEAD";
    const type = typeOf(request);
    // Routes without a caller are of the members themselves, such as their sign-in.
    if (changed && type && request.caller)
      signals.publish(CHANGED, [`${request.caller.workspace.id}:${type}:${idOf(request) ?? ""}`]);
    done();
  });
}

/** Returns the first part of the route, such as `broadcasts`; none of a POST that only looks: a page that shows its answer would ask again and again. */
function typeOf({ routeOptions: { url = "", config } }: FastifyRequest): string | undefined {
  const looks = config.needs === "read" || url.endsWith("/test");
  return looks ? undefined : /^\/api\/v1\/([a-z-]+)/.exec(url)?.[1];
}

function idOf({ params, createdId }: FastifyRequest): string | undefined {
  const id = createdId ?? (params as { id?: string } | undefined)?.id;
  return id !== undefined && ID.test(id) ? id : undefined;
}
