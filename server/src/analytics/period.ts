/** The time of the counted events: from `from` until before `to`, null for no limit. Both are full quarters of an hour. */
export interface Period {
  from: Date | null;
  to: Date | null;
}

const DAY = 86_400_000;

/** Splits a period into its full days of UTC, if there are any, and the rest at both ends. */
export function splitByDays({ from, to }: Period): { days: Period[]; edges: Period[] } {
  const first = from && new Date(Math.ceil(from.getTime() / DAY) * DAY);
  const last = to && new Date(Math.floor(to.getTime() / DAY) * DAY);
  if (first && last && first >= last) return { days: [], edges: [{ from, to }] };
  const edges = [
    ...(first && from < first ? [{ from, to: first }] : []),
    ...(last && last < to ? [{ from: last, to }] : []),
  ];
  return { days: [{ from: first, to: last }], edges };
}
