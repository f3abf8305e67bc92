import { SenderDomainQuery, SenderDomainReport, SenderDomains } from "@tidings/contract/messages/sender-domains";
import { Type } from "typebox";
import type { Ground } from "../platform/ground.ts";
import type { App } from "../platform/http/index.ts";
import { checkSenderDomain, senderDomains } from "./domains/sender-domains.ts";

const tags = ["providers"];

/** The domains that a workspace sends email from, and what the DNS says about one. */
export function senderDomainRoutes(app: App, ground: Ground): void {
  app.get(
    "/sender-domains",
    {
      schema: {
        summary: "List the domains that the workspace's settings send email from",
        tags,
        response: { 200: SenderDomains },
      },
    },
    (request) => senderDomains(ground.db, request.caller.workspace),
  );

  app.get(
    "/sender-domains/:domain",
    {
      schema: {
        summary: "Look up SPF, DKIM, DMARC and MX of a domain that the workspace sends from, and explain them",
        tags,
        params: Type.Object({ domain: Type.String({ maxLength: 253 }) }),
        querystring: SenderDomainQuery,
        response: { 200: SenderDomainReport },
      },
    },
    (request) =>
      checkSenderDomain(ground, request.caller.workspace, {
        domain: request.params.domain,
        selector: request.query.selector,
      }),
  );
}
