export interface SinkQuestion {
  of: "apart" | "others";
  count: number;
}

/** When each message was accepted, by recipient, in milliseconds of the wall clock, because two processes compare the times. */
export type SinkAnswer = Record<string, number>;

/** The prefix of recipients that are counted separately. */
export const APART = "code-";
