import type { CatalogEventDetail, CatalogEventList, CatalogField } from "@tidings/contract/facts/catalog";
import { useDebouncedValue } from "@mantine/hooks";
import type { Static } from "typebox";
import { useRead } from "../../../platform/call/queries.ts";
import { useFormat } from "../../../platform/language/format.ts";
import { useTexts } from "../../../platform/language/texts.ts";
import { soughtOf } from "../../../platform/list/search.ts";
import { fieldTexts } from "../texts.ts";

/** A name or a value that can be chosen, and what to know of it. */
export interface Suggestion {
  value: string;
  about?: string | undefined;
}
/** What the catalog knows of a name that is typed. */
export interface Known {
  suggestions: readonly Suggestion[];
  /** The field of exactly this name. */
  field: CatalogField | undefined;
  /** How many were read for its values. */
  sample: number;
  /** Whether everything was read, so that a name which is not among it is unknown. */
  sure: boolean;
}

type Fields = { data: CatalogField[]; next_cursor: string | null; sample: number };
/** As many as one call gives. Most workspaces have fewer; otherwise the name is searched while it is typed. */
const MOST = 200;
const PAUSE_MS = 200;

function useAll<T extends { next_cursor: string | null }>(
  path: string,
  typed: string,
): { read: T | undefined; sure: boolean } {
  const all = useRead<T>(path, { limit: MOST });
  const [sought] = useDebouncedValue(typed, PAUSE_MS);
  const more = Boolean(all.data?.next_cursor);
  const query = { limit: MOST, q: soughtOf(sought) };
  const found = useRead<T>(path, query, { enabled: more && sought !== "", keep: true });
  const read = (more && sought && found.data) || all.data;
  return {
    read,
    sure: read !== undefined && (!more || (sought === typed && found.isSuccess && !found.isPlaceholderData)),
  };
}

function useAbout() {
  const t = useTexts(fieldTexts);
  const { percent } = useFormat();
  const share = (people: number, sample: number) =>
    sample > 0 && people > 0 && t("share", { share: percent(people / sample) });
  return {
    share,
    ofField: ({ types, people }: CatalogField, sample: number) =>
      [types.map((type) => t(`types_${type}`)).join(", "), share(people, sample)].filter(Boolean).join(" · "),
  };
}
const byFrequency = (fields: readonly CatalogField[]) => fields.toSorted((one, other) => other.people - one.people);

/** Attributes that each person has, and no application reports. */
const BUILT_IN = ["person_id", "created_at"];

/** Returns the attributes of people, the most frequent first, and what is known of the one that is typed. */
export function useAttributes(typed: string): Known {
  const t = useTexts(fieldTexts);
  const about = useAbout();
  const { read, sure } = useAll<Fields>("/catalog/attributes", typed);
  const sample = read?.sample ?? 0;
  const builtIn = BUILT_IN.map((value) => ({ value, about: t("builtIn") }));
  const found = byFrequency(read?.data ?? []);
  return {
    suggestions: [...found.map((one) => ({ value: one.name, about: about.ofField(one, sample) })), ...builtIn],
    field: builtInField(typed) ?? found.find(({ name }) => name === typed),
    sample,
    // A path into an object is no name of the catalog.
    sure: sure && !typed.includes("."),
  };
}
function builtInField(name: string): CatalogField | undefined {
  if (!BUILT_IN.includes(name)) return undefined;
  const types: CatalogField["types"] = name === "created_at" ? ["time"] : ["string"];
  return { name, types, first_seen: "", last_seen: "", people: 0, values: [] };
}

/** Returns the events, the most frequent first. */
export function useEvents(typed: string): { suggestions: readonly Suggestion[]; isKnown: boolean; sure: boolean } {
  const t = useTexts(fieldTexts);
  const { read, sure } = useAll<Static<typeof CatalogEventList>>("/catalog/events", typed);
  const found = (read?.data ?? []).toSorted((one, other) => other.recent_count - one.recent_count);
  const suggestions = found.map(({ name, recent_count: count }) => ({
    value: name,
    about: count > 0 ? t("recent", { count }) : t("rare"),
  }));
  return { suggestions, isKnown: found.some(({ name }) => name === typed), sure };
}

/** Returns the properties of an event, and what is known of the one that is typed. */
export function useProperties(event: string | undefined, typed: string): Known {
  const about = useAbout();
  const { isKnown } = useEvents(event ?? "");
  // An event that nobody sent has no entry, which would be a refusal.
  const read = useRead<Static<typeof CatalogEventDetail>>(
    `/catalog/events/${encodeURIComponent(event ?? "")}`,
    undefined,
    { enabled: Boolean(event) && isKnown },
  );
  const sample = read.data?.sample ?? 0;
  const found = byFrequency(read.data?.properties ?? []);
  return {
    suggestions: found.map((one) => ({ value: one.name, about: about.ofField(one, sample) })),
    field: found.find(({ name }) => name === typed),
    sample,
    sure: read.isSuccess && !typed.includes("."),
  };
}

/** Returns the values of a field, the most frequent first. */
export function useValues({ field, sample }: Pick<Known, "field" | "sample">): readonly Suggestion[] {
  const about = useAbout();
  return (field?.values ?? []).map(({ value, people }) => ({
    value: String(value),
    about: about.share(people, sample) || undefined,
  }));
}
