import { type Composed, checkPushAddresses, missingPart, sourceOf } from "../../outbound/index.ts";
import { Problem } from "../../platform/http/index.ts";
import type { CallFacts, ParseChannel } from "./channel.ts";
import { composeCall, overlaid } from "./compose.ts";

const FROM_CALL = ["title", "message", "image_url", "link"];

/** A push goes to all of a person's devices, to the one used last, or to a named one. */
export const parsePush: ParseChannel<"push"> = (_workspace, input) => {
  const which = input.to ?? "all";
  checkPushAddresses(input);
  const compose = async (facts: CallFacts): Promise<Composed> => {
    const content = overlaid(facts.content, input, FROM_CALL);
    for (const name of ["title", "message"])
      if (!content[name]) throw missingPart(name, `The push has no ${name}: give it in the call.`);
    checkDevices(which, facts.tokens);
    return composeCall(sourceOf("push", content), input, facts, { to: which, customData: input.custom_data });
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
