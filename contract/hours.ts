import { type Static, Type } from "typebox";
import { Closed, OneOf } from "./primitives.ts";

// Times of day and days of the week, as the clocks of a zone show them.

export const weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
export type Weekday = (typeof weekdays)[number];
export const Days = Type.Array(OneOf([...weekdays]), { minItems: 1, maxItems: 7, uniqueItems: true });

export const TimeOfDay = Type.String({
  pattern: "^([01][0-9]|2[0-3]):[0-5][0-9]$",
  "x-says": "must be a time of day from 00:00 to 23:59, such as 22:00",
  examples: ["22:00"],
});

/** The fields of a window: from a time of day to another one, on some days of the week. */
export const windowFields = {
  from: Type.Optional(TimeOfDay),
  to: Type.Optional(TimeOfDay),
  days: Type.Optional(Days),
};
/** Such a window as a setting. */
export const TimeWindow = Closed(windowFields);
export type TimeWindow = Static<typeof TimeWindow>;
