import { smsOf } from "../../outbound/index.ts";
import { normalPhone, personView } from "../../people/index.ts";
import { Problem } from "../../platform/http/index.ts";
import { invalidRecipient } from "./call.ts";
import type { Composed, Facts, ReadChannel } from "./channel.ts";
import { missingContent, overlaid, renderContent, turnOf } from "./render.ts";

/** A text message to the number of the call, of the content, or of the person, in this order. */
export const readSms: ReadChannel<"sms"> = (workspace, input) => {
  const country = workspace.sender_defaults.country;
  const called = input.to === undefined ? undefined : numberOf(input.to, country, "/to");
  const compose = async ({ person, content: definition, links }: Facts): Promise<Composed> => {
    const content = overlaid(definition, input, ["body"]);
    if (!content.body) throw missingContent("body", "The text message has no body: give it in the call.");
    // A number in the call stands above the content's, which then need not render.
    if (called !== undefined) delete content.to;
    const scope = { person: personView(person), trigger: input.message_data ?? {}, links, turn: turnOf(workspace) };
    const text = await renderContent("sms", content, input, scope);
    const message = smsOf(text);
    const authored = text.to?.trim();
    const recipient = called ?? (authored ? numberOf(authored, country, "/content/to") : person.phone);
    if (recipient === null) {
      throw new Problem(
        "recipient_missing",
        "The person has no phone number: give `to`, or identify the person with one.",
      );
    }
    return { recipient, content: message };
  };
  return { to: called, compose };
};

function numberOf(text: string, country: string | undefined, pointer: string): string {
  const normal = normalPhone(text, country);
  if (!normal) throw invalidRecipient(pointer, "is not a phone number with its country code");
  return normal;
}
