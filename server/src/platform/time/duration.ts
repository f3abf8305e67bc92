const UNIT_MS = { seconds: 1_000, minutes: 60_000, hours: 3_600_000, days: 86_400_000 } as const;

/** A length of time, as the API writes it. */
export interface Duration {
  amount: number;
  unit: keyof typeof UNIT_MS;
}

/** Returns a length of time in milliseconds. */
export const durationMs = ({ amount, unit }: Duration): number => amount * UNIT_MS[unit];
