// COMPAT: the clients that people already use. These are translators only: they call the functions that our own routes call.
import type { onRequestHookHandler, preHandlerHookHandler } from "fastify";
import type { Rejections } from "../ingest/index.ts";
import type { App } from "../platform/http/index.ts";
import type { ConnectedGround } from "../workspaces/index.ts";
import type { Trigger } from "../transactionals/index.ts";
import { customerio } from "./customerio/gateway.ts";
import { ignoredCounter } from "./ignored.ts";
import { asSegment, segment, segmentSettings } from "./segment/gateway.ts";
import { speak } from "./speak.ts";

/** What each scope of a foreign client stands behind. `crossOrigin` is for those that run in browsers. */
export interface Hooks {
  guards: onRequestHookHandler[];
  identity: preHandlerHookHandler;
  crossOrigin: onRequestHookHandler;
}

/** What the foreign clients' routes work with. */
export interface Tools {
  trigger: Trigger;
  rejections: Rejections;
}

/** Mounts /compat (contract section 6), each client with answers and errors in its own shape. */
export function gateway(app: App, ground: ConnectedGround, hooks: Hooks, { trigger, rejections }: Tools): void {
  const ignored = ignoredCounter(ground, rejections);
  app.register(
    async (scope: App) => {
      for (const guard of hooks.guards) scope.addHook("onRequest", guard);
      scope.addHook("preHandler", hooks.identity);
      customerio(scope, ground, { trigger, ignored, rejections });
    },
    { prefix: "/compat/customerio" },
  );
  app.register(
    async (scope: App) => {
      speak(scope, ground.log, asSegment);
      scope.addHook("onRequest", hooks.crossOrigin);
      segmentSettings(scope, ground);
      scope.register(async (keyed: App) => {
        for (const guard of hooks.guards) keyed.addHook("onRequest", guard);
        keyed.addHook("preHandler", hooks.identity);
        segment(keyed, ground, ignored, rejections);
      });
    },
    { prefix: "/compat/segment" },
  );
}
