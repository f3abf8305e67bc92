export { type CallOptions, etagOf } from "./calls.ts";
export { type ErrorCode, type FieldError, TidingsError } from "./error.ts";
export { type PersonTokenInput, signPersonToken } from "./person-token.ts";
export type { Product } from "./product.ts";
export type { RequestOptions } from "./resources.ts";
export type {
  BatchItem,
  BatchResult,
  BatchTriggerItem,
  Device,
  DeviceRemoval,
  EmailTrigger,
  Identified,
  Identifiers,
  Identify,
  PushTrigger,
  SmsTrigger,
  Track,
  Tracked,
  TriggerResult,
  Triggered,
} from "./shapes.ts";
export { Tidings, type TidingsOptions } from "./tidings.ts";
export type { DataOf, NamedTrigger, TransactionalName, Transactionals, Trigger, TriggerOptions } from "./trigger.ts";
export { verifyWebhook, type WebhookEvent, type WebhookHeaders } from "./webhooks.ts";
