// COMPAT: routes for the clients of other services that people already use. They only translate: they call the functions that the routes of
// Tidings call.
import type { onRequestHookHandler, preHandlerHookHandler } from "fastify";
import type { App } from "../platform/http/index.ts";
import { customerio } from "./customerio/gateway.ts";
import type { CompatGround } from "./ground.ts";
import { ignoredCounter } from "./ignored.ts";
import { asSegment, segment, segmentSettings } from "./segment/gateway.ts";
import { answerErrorsAs } from "./answers.ts";

/** The hooks of the data gateway, which run before the routes here, too. `crossOrigin` is for clients that run in browsers. */
export interface Hooks {
  guards: onRequestHookHandler[];
  identity: preHandlerHookHandler;
  crossOrigin: onRequestHookHandler;
}

/** Mounts /compat (contract section 6). Each client gets answers and errors in its own shape. */
export function gateway(app: App, ground: CompatGround, hooks: Hooks): void {
  const ignore = ignoredCounter(ground);
  app.register(
    async (scope: App) => {
      for (const guard of hooks.guards) scope.addHook("onRequest", guard);
      scope.addHook("preHandler", hooks.identity);
      customerio(scope, ground, ignore);
    },
    { prefix: "/compat/customerio" },
  );
  app.register(
    async (scope: App) => {
      answerErrorsAs(scope, ground.log, asSegment);
      scope.addHook("onRequest", hooks.crossOrigin);
      segmentSettings(scope, ground);
      scope.register(async (keyed: App) => {
        for (const guard of hooks.guards) keyed.addHook("onRequest", guard);
        keyed.addHook("preHandler", hooks.identity);
        segment(keyed, ground, ignore);
      });
    },
    { prefix: "/compat/segment" },
  );
}
