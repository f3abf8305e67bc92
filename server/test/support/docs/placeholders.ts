import { encodeId } from "../../../src/platform/ids.ts";
import type { TestService } from "../service.ts";

/** Bodies for the placeholders of the pages, such as `aud_...`. A body that needs another resource has its placeholder. */
const bodies: Record<string, [path: string, body: object]> = {
  aud: ["/api/v1/audiences", { name: "Everybody", filter: { attribute: "plan", op: "exists" } }],
  bc: [
    "/api/v1/broadcasts",
    { name: "Before", channel: "email", audience_id: "aud_...", content: { subject: "s", body: "b" } },
  ],
  cmp: [
    "/api/v1/campaigns",
    {
      name: "Running",
      trigger: { type: "api" },
      steps: [{ id: "hello", type: "message", channel: "push", content: { title: "Hello", message: "Welcome" } }],
    },
  ],
  key: ["/api/v1/api-keys", { kind: "public" }],
  lay: ["/api/v1/email-layouts", { name: "Frame", format: "html", body: "<html><body>{{ content }}</body></html>" }],
  msg: ["/api/v1/in-app-messages", { name: "Shown", render_type: "modal", title: "t", body: "b" }],
  top: ["/api/v1/topics", { name: "News", default: "subscribed" }],
  tpl: ["/api/v1/email-templates", { name: "Saved", subject: "s", body: "<p>b</p>" }],
};

/** Creates in a workspace the resources that the placeholders of a text name, and replaces the placeholders by their ids. */
export function makerOf(it: TestService, own: { workspaceId: string; secretKey: string }) {
  async function make(prefix: string): Promise<string> {
    const [path = "", body = {}] = bodies[prefix] ?? [];
    const filledBody = JSON.parse(await filled(JSON.stringify(body)));
    const answer = await it.call("POST", path, { key: own.secretKey, body: filledBody });
    if (prefix === "cmp") await it.call("POST", `${path}/${answer.body.id}/activate`, { key: own.secretKey, body: {} });
    if (answer.status !== 201) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
    return answer.body.id;
  }
  async function filled(text: string): Promise<string> {
    let made = text.replaceAll("ws_...", encodeId("ws", own.workspaceId));
    for (const prefix of Object.keys(bodies)) {
      const placeholder = `${prefix}_...`;
      if (made.includes(placeholder)) made = made.replaceAll(placeholder, await make(prefix));
    }
    // A snippet that a text names must exist.
    if (made.includes("{% snippet")) {
      const body = { name: "footer", body: "<p>Bye</p>" };
      await it.call("POST", "/api/v1/snippets", { key: own.secretKey, body });
    }
    return made;
  }
  return { filled };
}
