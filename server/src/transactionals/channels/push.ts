import { checkPushAddresses, fitsPhone, MOST_PUSH_BYTES, pushOf } from "../../outbound/index.ts";
import { personView } from "../../people/index.ts";
import { Problem } from "../../platform/http/index.ts";
import type { Composed, Facts, ReadChannel } from "./channel.ts";
import { missingContent, overlaid, renderContent, turnOf } from "./render.ts";

const FROM_CALL = ["title", "message", "image_url", "link"];

/** A push to all of a person's devices, to the one used last, or to one of them. */
export const readPush: ReadChannel<"push"> = (workspace, input) => {
  const which = input.to ?? "all";
  checkPushAddresses(input);
  const compose = async ({ person, content: definition, tokens, links }: Facts): Promise<Composed> => {
    const content = overlaid(definition, input, FROM_CALL);
    for (const name of ["title", "message"])
      if (!content[name]) throw missingContent(name, `The push has no ${name}: give it in the call.`);
    checkDevices(which, tokens);
    const scope = { person: personView(person), trigger: input.message_data ?? {}, links, turn: turnOf(workspace) };
    const text = await renderContent("push", content, input, scope);
    const message = { ...pushOf(text), ...(input.custom_data && { custom_data: input.custom_data }) };
    if (!fitsPhone(message)) {
      const what = `renders more than ${MOST_PUSH_BYTES} bytes with its title, links and custom_data`;
      throw new Problem("template_error", `The push ${what}; phones take no more.`, {
        errors: [{ pointer: "/message", message: what }],
        extra: { part: "message", line: null, column: null },
      });
    }
    return { recipient: which, content: message };
  };
  return { compose };
};

function checkDevices(which: string, tokens: string[]): void {
  if (which !== "all" && which !== "last_used") {
    if (tokens.includes(which)) return;
    throw new Problem("recipient_invalid", "/to is not the token of one of this person's devices.", {
      errors: [{ pointer: "/to", message: "is not the token of one of this person's devices" }],
    });
  }
  if (tokens.length === 0) {
    throw new Problem(
      "recipient_missing",
      "The person has no device that takes pushes: register one with PUT /data-gateway/v1/devices.",
    );
  }
}
