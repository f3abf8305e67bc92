import { useSourceNumbers } from "../analytics/source-numbers.ts";

const WEEK_MS = 7 * 86_400_000;
/** The service counts by quarters of an hour: all rows that are drawn within one ask for the same. */
const QUARTER_MS = 900_000;

/** Returns what became of the deliveries of a transactional in 7 days; null where there were none, undefined until it is read. */
export function useWeek(id: string) {
  const now = Math.floor(Date.now() / QUARTER_MS) * QUARTER_MS;
  return useSourceNumbers(id, new Date(now - WEEK_MS).toISOString());
}
