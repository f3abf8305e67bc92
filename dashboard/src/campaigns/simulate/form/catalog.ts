import type { CatalogAttributeList, CatalogEventDetail, CatalogEventList } from "@tidings/contract/facts/catalog";
import type { Static } from "typebox";
import { useRead } from "../../../platform/call/queries.ts";

const MOST = 200;
type Field = Static<typeof CatalogAttributeList>["data"][number];
const named = (fields: readonly Field[] | undefined) => ({
  names: fields?.map(({ name }) => name) ?? [],
  valuesOf: (name: string) => [
    ...new Set((fields?.find((field) => field.name === name)?.values ?? []).map(({ value }) => String(value))),
  ],
});

/** The attributes that people have, with their common values. */
export function useAttributes() {
  const { data } = useRead<Static<typeof CatalogAttributeList>>("/catalog/attributes", { limit: MOST });
  return named(data?.data);
}

/** The names of events that applications report. */
export function useEventNames(): string[] {
  const { data } = useRead<Static<typeof CatalogEventList>>("/catalog/events", { limit: MOST });
  return data?.data.map(({ name }) => name) ?? [];
}

/** The properties that an event has, with their common values; none for an event that nobody has reported. */
export function useProperties(event: string, known: readonly string[]) {
  const { data } = useRead<Static<typeof CatalogEventDetail>>(
    `/catalog/events/${encodeURIComponent(event)}`,
    {},
    { enabled: known.includes(event) },
  );
  return named(data?.properties);
}
