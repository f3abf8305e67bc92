/** A body that a client may send, as the OpenAPI document shows it: a short sentence and the value. */
export interface Example {
  summary: string;
  value: unknown;
}

/** The examples of some operations: by the `operationId`, and there by a short name. */
export type Examples = Record<string, Record<string, Example>>;

/** Returns the only example of an operation. */
export const one = (summary: string, value: unknown): Record<string, Example> => ({ default: { summary, value } });

/** Ids as the service makes them. Nothing has these ids. */
export const ids = {
  audience: "aud_01k9xq6w4tfr58n2b7ehvzc3mj",
  campaign: "cmp_01k9xq6w4tfr58n2b7ehvzc3mk",
  delivery: "dlv_01k9xq6w4tfr58n2b7ehvzc3mm",
  layout: "lay_01k9xq6w4tfr58n2b7ehvzc3mn",
  message: "msg_01k9xq6w4tfr58n2b7ehvzc3mp",
  template: "tpl_01k9xq6w4tfr58n2b7ehvzc3mq",
  topic: "top_01k9xq6w4tfr58n2b7ehvzc3mr",
};
