import type { InAppDefinition } from "@tidings/contract/inapp/definition";

type Duration = NonNullable<InAppDefinition["expiry"]>;
export type Unit = Duration["unit"];
export const units = ["minutes", "hours", "days"] as const satisfies readonly Unit[];

/** A length of time while it is typed: its number may still be missing. */
export interface Length {
  amount: number | string;
  unit: Unit;
}

const MS: Record<Unit, number> = { minutes: 60_000, hours: 3_600_000, days: 86_400_000 };

/** Returns a length as the service takes it. Nothing typed is refused there, at the field. */
export const typedLength = (length: Length | null): Duration | null =>
  length && { amount: length.amount === "" ? Number.NaN : Number(length.amount), unit: length.unit };

/** Returns a length in milliseconds; undefined while its number is missing. */
export function lengthMs(length: Length): number | undefined {
  const ms = Number(length.amount) * MS[length.unit];
  return length.amount === "" || Number.isNaN(ms) ? undefined : ms;
}
