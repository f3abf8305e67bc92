import type { WrittenCall } from "../../platform/code/call-text.ts";
import type { Transactional } from "../form/values.ts";

/** Returns the trigger call as programs write it, with the real name and fields. */
export function triggerSamples(
  { id, trigger_name, channel }: Pick<Transactional, "id" | "trigger_name" | "channel">,
  data: Record<string, unknown>,
  curlOf: (call: Omit<WrittenCall, "node">) => string,
): Record<string, string> {
  const body = {
    transactional_message_id: trigger_name ?? id,
    identifiers: channel === "email" ? { email: "ada@example.com" } : { id: "user-42" },
    ...(Object.keys(data).length > 0 && { message_data: data }),
  };
  const literal = JSON.stringify(body, null, 2).replaceAll(/^(\s*)"([A-Za-z_$][\w$]*)":/gm, "$1$2:");
  return {
    curl: curlOf({ method: "POST", path: `/data-gateway/transactionals/${channel}`, body }),
    "Node.js": [
      `import { Tidings } from "@tidings/node";`,
      "",
      "const tidings = new Tidings(); // TIDINGS_URL and TIDINGS_SECRET_KEY",
      `const { delivery_id, status } = await tidings.trigger.${channel}(${literal});`,
    ].join("\n"),
  };
}
