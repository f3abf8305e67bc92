export interface SinkQuestion {
  of: "apart" | "others";
  count: number;
}

/** When each was taken, by recipient, in milliseconds of the wall clock: two processes compare them. */
export type SinkAnswer = Record<string, number>;

/** Recipients that are told apart begin with it. */
export const APART = "code-";
