import type { Delivery } from "./delivery.ts";

type Named = Pick<Delivery, "source_name" | "step_id" | "message_name">;

/** Says which message it is: its source, the step of a campaign, and an in-app message that has a name of its own. Undefined where nothing has one. */
export const whatOf = ({ source_name: source, step_id: step, message_name: message }: Named): string | undefined =>
  [source, step, message === source ? null : message].filter((part) => part !== null).join(" · ") || undefined;
