import { TestSent } from "@tidings/contract/messages/sendings";
import { EmailTemplateTestSend } from "@tidings/contract/messages/templates";
import { Type } from "typebox";
import type { OutboundGround } from "../outbound/index.ts";
import { type App, notFound } from "../platform/http/index.ts";
import { decodeId, encodeId } from "../platform/ids.ts";
import { creating } from "../platform/resources/idempotency.ts";
import { sendTemplateTest } from "./template-test.ts";

/** The test send of an email template. The slice of templates is below the one that sends. */
export function product(app: App, ground: OutboundGround): void {
  app.post(
    "/email-templates/:id/test-sends",
    {
      config: { needs: "send" },
      schema: {
        summary: "Send it as a test, as one person would get it, to them or to another address",
        tags: ["email templates"],
        params: Type.Object({ id: Type.String() }),
        body: EmailTemplateTestSend,
        response: { 202: TestSent },
      },
    },
    (request, reply) => {
      const { workspace } = request.caller;
      const now = ground.clock.now();
      return creating(ground.db, { request, reply, scope: workspace.id, now, status: 202 }, async (tx) => {
        const templateId = decodeId("tpl", request.params.id);
        if (templateId === undefined) throw notFound("email template");
        const test = { workspace, templateId, input: request.body, now };
        return { delivery_id: encodeId("dlv", await sendTemplateTest(tx, ground, test)) };
      });
    },
  );
}
