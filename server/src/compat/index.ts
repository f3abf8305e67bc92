// On the roof: the clients that people already use. Translators only: they call the doors that our own routes call.
import type { onRequestHookHandler, preHandlerHookHandler } from "fastify";
import type { Ground } from "../platform/ground.ts";
import type { App } from "../platform/http/index.ts";
import type { Trigger } from "../transactionals/index.ts";
import { customerio } from "./customerio/gateway.ts";
import { ignoredCounter } from "./ignored.ts";
import { segment, segmentSettings } from "./segment/gateway.ts";

/** What each scope of a foreign client stands behind. `crossOrigin` is for those that run in browsers. */
export interface Hooks {
  guards: onRequestHookHandler[];
  identity: preHandlerHookHandler;
  crossOrigin: onRequestHookHandler;
}

/** Mounts /compat (contract section 6), each client with answers and errors in its own shape. */
export function gateway(app: App, ground: Ground, hooks: Hooks, trigger: Trigger): void {
  const ignored = ignoredCounter(ground);
  app.register(
    async (scope: App) => {
      for (const guard of hooks.guards) scope.addHook("onRequest", guard);
      scope.addHook("preHandler", hooks.identity);
      customerio(scope, ground, { trigger, ignored });
    },
    { prefix: "/compat/customerio" },
  );
  app.register(
    async (scope: App) => {
      scope.addHook("onRequest", hooks.crossOrigin);
      segmentSettings(scope, ground);
      scope.register(async (keyed: App) => {
        for (const guard of hooks.guards) keyed.addHook("onRequest", guard);
        keyed.addHook("preHandler", hooks.identity);
        segment(keyed, ground, ignored);
      });
    },
    { prefix: "/compat/segment" },
  );
}
