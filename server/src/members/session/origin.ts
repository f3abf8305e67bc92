import type { FastifyRequest } from "fastify";
import type { Config } from "../../platform/config.ts";
import { Problem } from "../../platform/http/index.ts";
import { tokenIn } from "./cookie.ts";

const foreign = () =>
  new Problem(
    "cross_site_request",
    "This request came from another site, or does not say where from. Only pages of this service's own address may make it.",
  );

/**
 * Refuses requests that another site makes a browser send, beside SameSite=Lax of the cookie: that lets links through, and knows no
 * difference between hosts of one domain. Browsers set Sec-Fetch-Site and Origin themselves, so that no page can forge them. A request
 * without both that would change something with a cookie is refused: no browser of today sends it. @throws Problem cross_site_request
 */
export function assertOwnOrigin(request: FastifyRequest, config: Pick<Config, "publicUrl">): void {
  const { method, headers } = request;
  const changes = method !== "GET" && method !== "HEAD";
  const site = headers["sec-fetch-site"];
  // "none" is an address that a person typed, or a bookmark.
  if (site !== undefined) {
    if (site === "same-origin" || (site === "none" && !changes)) return;
    throw foreign();
  }
  // Without TLS, and not on this machine, browsers send no Sec-Fetch-Site.
  if (headers.origin !== undefined) {
    if (isOwn(headers.origin, headers.host, config.publicUrl)) return;
    throw foreign();
  }
  if (changes && tokenIn(request, config) !== undefined) throw foreign();
}

/** A page can't choose the Host of its requests. A host that only resolves to this machine has another cookie. */
function isOwn(origin: string, host: string | undefined, publicUrl: string): boolean {
  if (!URL.canParse(origin)) return false;
  const given = new URL(origin);
  return given.origin === new URL(publicUrl).origin || (host !== undefined && given.host === host.toLowerCase());
}
