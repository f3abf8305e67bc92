/** When what is counted happened: from the first, before the second, null for no end. Both are on a quarter of an hour. */
export interface Period {
  from: Date | null;
  to: Date | null;
}

const DAY = 86_400_000;

/** A period in whole days of UTC, where there are any, and what is left at its ends. */
export function parted({ from, to }: Period): { days: Period[]; edges: Period[] } {
  const first = from && new Date(Math.ceil(from.getTime() / DAY) * DAY);
  const last = to && new Date(Math.floor(to.getTime() / DAY) * DAY);
  if (first && last && first >= last) return { days: [], edges: [{ from, to }] };
  const edges = [
    ...(first && from < first ? [{ from, to: first }] : []),
    ...(last && last < to ? [{ from: last, to }] : []),
  ];
  return { days: [{ from: first, to: last }], edges };
}
