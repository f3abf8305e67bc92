import { fileURLToPath } from "node:url";
import type { House } from "./house.ts";
import { type App, mountFrames, mountSite } from "./platform/http/index.ts";
import { SLICES } from "./slices.ts";

/** Mounts the routes without a key: for recipients, whose signed link says who they are, and for providers, who sign their calls. */
export function mountPages(app: App, house: House): void {
  for (const { pages } of SLICES) app.register(async (scope: App) => pages?.(scope, house));
}

/** Mounts the dashboard. It has no data of its own: its scripts call the product API with the session of a member. */
export function mountDashboard(app: App): void {
  const folder = fileURLToPath(new URL("../../dashboard/dist", import.meta.url));
  mountSite(app, { folder, pages: PAGES, missing: MISSING });
  mountFrames(app);
}

/** The addresses of the dashboard's pages; its router (dashboard/src/app/router.tsx) knows what each shows. */
const PAGES = ["/", "/setup", "/sign-in", "/reset", "/invitation", "/w/*"];

const MISSING = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><meta http-equiv="refresh" content="2"><title>Tidings</title>
<style nonce="NONCE-OF-THIS-ANSWER">body{font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:4rem auto;padding:0 1rem}</style>
<h1>Tidings is running</h1><p>The dashboard is being built. That takes some seconds after the first start; this page then shows it.</p>
<p>If it does not appear: run <code>npm run build -w dashboard</code> in the project's folder, as the user who owns it. It says what is wrong.</p>
<p><a href="/docs">API reference</a> (on the service's own machine), <a href="/openapi.json">OpenAPI document</a></p></html>`;
