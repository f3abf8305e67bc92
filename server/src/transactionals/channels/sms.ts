import { type Composed, missingPart, sourceOf } from "../../outbound/index.ts";
import { normalPhone } from "../../people/index.ts";
import { invalidRecipient } from "./call.ts";
import type { CallFacts, ParseChannel } from "./channel.ts";
import { composeCall, overlaid } from "./compose.ts";

/** A text message goes to the number in the call, else in the content, else of the person. */
export const parseSms: ParseChannel<"sms"> = ({ sender_defaults }, input) => {
  const called = input.to === undefined ? undefined : numberOf(input.to, sender_defaults.country);
  const compose = async (facts: CallFacts): Promise<Composed> => {
    const content = overlaid(facts.content, input, ["body"]);
    if (!content.body) throw missingPart("body", "The text message has no body: give it in the call.");
    // A number in the call overrides the content's number, which is then not rendered.
    if (called !== undefined) delete content.to;
    return composeCall(sourceOf("sms", content), input, facts, { to: called });
  };
  return { to: called, compose };
};

function numberOf(text: string, country: string | undefined): string {
  const normal = normalPhone(text, country);
  if (!normal) throw invalidRecipient("/to", "is not a phone number with its country code");
  return normal;
}
