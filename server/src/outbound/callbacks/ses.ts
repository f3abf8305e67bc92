import { parseJson } from "../../platform/http/index.ts";
import {
  type CallbackEvent,
  type CallbackReader,
  checkAge,
  type Fields,
  fieldsOf,
  listOf,
  notConfigured,
  textOf,
  timeOf,
  unverified,
} from "./callback.ts";
import { confirm, verifySns } from "./sns.ts";
import { deliveryOf } from "../feedback/reference.ts";

/** SNS repeats a call for an hour at most ("Creating an HTTP/S delivery policy"), always with the time of the first one. */
const LONGEST_S = 2 * 3_600;

/**
 * Amazon SES, "Examples of event data that Amazon SES publishes to Amazon SNS". Anybody can create a topic whose
 * messages Amazon signs, so only those of the configured topic are believed.
 */
export const ses: CallbackReader<"ses"> = async ({ raw, now, fetchOut }, { settings }) => {
  if (settings.topic_arn === undefined) throw notConfigured("settings.topic_arn");
  const envelope = fieldsOf(parseJson(raw));
  if (envelope.TopicArn !== settings.topic_arn) throw unverified("it is of another topic than settings.topic_arn");
  await verifySns(envelope, fetchOut);
  checkAge({ now }, String(envelope.Timestamp), LONGEST_S);
  if (envelope.Type === "SubscriptionConfirmation") await confirm(envelope, fetchOut);
  if (envelope.Type !== "Notification") return { items: [] };
  const event = fieldsOf(eventIn(envelope.Message));
  const [tag] = listOf(fieldsOf(fieldsOf(event.mail).tags).delivery_id);
  const delivery = deliveryOf(tag);
  if (!delivery) return { items: [] };
  const eventId = textOf(envelope.MessageId);
  const items = meanings(event).map(
    ({ at, ...what }): CallbackEvent => ({ ...delivery, eventId, at: timeOf(at, now), ...what }),
  );
  return { items };
};

/** Reads the event. SNS also sends plain text, such as "Successfully validated SNS topic". */
function eventIn(message: unknown): unknown {
  try {
    return parseJson(Buffer.from(String(message)));
  } catch {
    return undefined;
  }
}

type Meaning = Omit<CallbackEvent, "deliveryId" | "at" | "eventId"> & { at: unknown };

/** Returns one event for each recipient that it is about. */
function meanings(event: Fields): Meaning[] {
  const of = (name: string) => fieldsOf(event[name]);
  switch (event.eventType ?? event.notificationType) {
    case "Delivery":
      return listOf(of("delivery").recipients).map((to) => ({
        kind: "delivered",
        recipient: textOf(to),
        at: of("delivery").timestamp,
      }));
    case "Bounce":
      return listOf(of("bounce").bouncedRecipients).map((entry) => ({
        kind: "bounced",
        permanent: of("bounce").bounceType === "Permanent",
        recipient: textOf(fieldsOf(entry).emailAddress),
        reason: textOf(fieldsOf(entry).diagnosticCode) ?? `${of("bounce").bounceType}, ${of("bounce").bounceSubType}`,
        at: of("bounce").timestamp,
      }));
    case "Complaint":
      return listOf(of("complaint").complainedRecipients).map((entry) => ({
        kind: "complained",
        recipient: textOf(fieldsOf(entry).emailAddress),
        reason: textOf(of("complaint").complaintFeedbackType),
        at: of("complaint").timestamp,
      }));
    case "Reject":
      return [{ kind: "failed", reason: textOf(of("reject").reason), at: fieldsOf(event.mail).timestamp }];
    case "Open":
      return [{ kind: "opened", at: of("open").timestamp }];
    case "Click":
      return [{ kind: "clicked", data: { link: textOf(of("click").link) ?? "" }, at: of("click").timestamp }];
    case "Subscription":
      return [{ kind: "unsubscribed", at: of("subscription").timestamp }];
    default:
      return [];
  }
}
