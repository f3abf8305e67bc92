import type { Span } from "@tidings/contract/campaigns/steps";

const MS = { seconds: 1_000, minutes: 60_000, hours: 3_600_000, days: 86_400_000 };

/** Returns a length of time in milliseconds. */
export const spanMs = ({ amount, unit }: Span): number => amount * MS[unit];
