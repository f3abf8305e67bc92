const DAY = 1_440;

/** Returns the minute of the day of a time such as "22:00"; undefined for a text that is none. */
export function minuteOf(time: string): number | undefined {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(time) ?? [];
  return hours === undefined ? undefined : Number(hours) * 60 + Number(minutes);
}

/** Writes a minute of the day, or one before or after it, as a time. */
export function timeOf(minute: number): string {
  const at = ((Math.round(minute) % DAY) + DAY) % DAY;
  return `${String(Math.floor(at / 60)).padStart(2, "0")}:${String(at % 60).padStart(2, "0")}`;
}

/** Returns the parts of a day, in minutes, that a window covers: two where it goes over midnight, none where it is empty. */
export function partsOf(start: number, end: number): [from: number, to: number][] {
  if (start === end) return [];
  if (start < end) return [[start, end]];
  return [...(end > 0 ? ([[0, end]] as [number, number][]) : []), [start, DAY]];
}

/** Returns how many minutes a window has. */
export const lengthOf = (start: number, end: number): number => (end - start + DAY) % DAY;
