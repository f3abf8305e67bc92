import type { Channel, Source } from "@tidings/contract/facts/activity";
import type { Event } from "@tidings/contract/webhooks";
import { channels, sources } from "../delivery.ts";
import { families, kinds } from "./kinds.ts";

/** The filters of the log as they stand in the address. */
export interface LogFilters {
  /** A kind such as `email.bounced`, or a family such as `person.*`. */
  type?: string;
  channel?: Channel;
  source?: Source;
  source_id?: string;
  person_id?: string;
}

const text = (value: unknown): string | undefined =>
  typeof value === "string" || typeof value === "number" ? String(value) || undefined : undefined;

/** Reads the address; what it does not know is left out. */
export function logFiltersOf(given: Record<string, unknown>): LogFilters {
  const known = [...kinds, ...families.map((family) => `${family}.*`)];
  const read = {
    type: known.find((type) => type === given.type),
    channel: channels.find((channel) => channel === given.channel),
    source: sources.find((source) => source === given.source),
    source_id: text(given.source_id),
    person_id: text(given.person_id),
  };
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined));
}

/** Returns the query of GET /activity. */
export const logQueryOf = ({ type, ...filters }: LogFilters) => ({ ...filters, ...(type && { types: type }) });

/** Whether an entry of the stream belongs to what is shown: the same question that the service answers for its list. */
export function isShown({ type, data }: Pick<Event, "type" | "data">, filters: LogFilters): boolean {
  const [about] = type.split(".");
  return (
    (filters.type === undefined || filters.type === type || filters.type === `${about}.*`) &&
    (filters.channel === undefined || filters.channel === about) &&
    (filters.source === undefined || filters.source === data.source) &&
    (filters.source_id === undefined || filters.source_id === data.source_id) &&
    (filters.person_id === undefined || filters.person_id === data.person_id)
  );
}
