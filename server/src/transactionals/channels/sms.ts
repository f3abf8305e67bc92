import { type Composed, missingPart, sourceOf } from "../../outbound/index.ts";
import { normalPhone } from "../../people/index.ts";
import { invalidRecipient } from "./call.ts";
import type { CallFacts, ReadChannel } from "./channel.ts";
import { composeCall, overlaid } from "./compose.ts";

/** A text message to the number of the call, of the content, or of the person, in this order. */
export const readSms: ReadChannel<"sms"> = ({ sender_defaults }, input) => {
  const called = input.to === undefined ? undefined : numberOf(input.to, sender_defaults.country);
  const compose = async (facts: CallFacts): Promise<Composed> => {
    const content = overlaid(facts.content, input, ["body"]);
    if (!content.body) throw missingPart("body", "The text message has no body: give it in the call.");
    // A number in the call stands above the content's, which then need not render.
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
