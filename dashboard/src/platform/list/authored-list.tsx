import { NativeSelect } from "@mantine/core";
import type { ReactNode } from "react";
import { useList } from "../call/queries.ts";
import { AsCall } from "../code/as-call.tsx";
import { useTexts } from "../language/texts.ts";
import { Choice, Choices } from "../look/parts.tsx";
import { Rows } from "../rows.tsx";
import { Answer, Loading } from "../states/states.tsx";
import { type AuthoredSearch, sorts } from "./authored-search.ts";
import css from "./list.module.css";
import { ListSearch } from "./list-search.tsx";
import { NoMatch } from "./more.tsx";
import { texts } from "./texts.ts";

/** A field whose words filter a list, such as the status. */
interface Facet {
  name: string;
  label: string;
  words: readonly (readonly [word: string, text: string])[];
}
type Counts = { total: number } & Record<`by_${string}`, Record<string, number>>;

interface AuthoredListProps<T> {
  path: string;
  search: AuthoredSearch;
  onSearch: (search: AuthoredSearch) => void;
  /** What the list contains, for a screen reader. */
  label: string;
  searchLabel: string;
  facets: readonly Facet[];
  /** Where there is nothing at all. */
  none: ReactNode;
  /** An AuthoredRow. */
  children: (row: T) => ReactNode;
}

const HEIGHT = 60;

/** The name that the resource of a path has in `@tidings/node`, such as "emailTemplates". */
const resourceOf = (path: string): string =>
  path.slice(1).replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** A long list of what people author, with its search, its facets with the number of things in each, and its order. */
export function AuthoredList<T extends { id: string }>(props: AuthoredListProps<T>) {
  const { path, search, onSearch, label, searchLabel, facets, none, children } = props;
  const t = useTexts(texts);
  const list = useList<T>(path, { ...search, counts: true }, { keep: true });
  const counts = (list.data?.pages[0] as { counts?: Counts } | undefined)?.counts;
  const { sort, ...filters } = search;
  const set = (name: string, value: string | undefined) => {
    const { [name]: _, ...rest } = search;
    onSearch(value ? { ...rest, [name]: value } : rest);
  };
  return (
    <>
      <search className={css.bar}>
        <ListSearch
          label={searchLabel}
          className={css.search}
          value={search.q ?? ""}
          onSearch={(text) => set("q", text)}
        />
        <NativeSelect
          aria-label={t("order")}
          className={css.order ?? ""}
          value={sort ?? ""}
          onChange={(event) => set("sort", event.currentTarget.value)}
          data={[
            { value: "", label: t("sort_created") },
            ...sorts.map((value) => ({ value, label: t(value === "name" ? "sort_name" : "sort_updated") })),
          ]}
        />
      </search>
      <div className={css.facets}>
        {facets.map((facet) => (
          <FacetChoices
            key={facet.name}
            facet={facet}
            chosen={search[facet.name]}
            counts={counts?.[`by_${facet.name}`]}
            onChoose={(word) => set(facet.name, word)}
          />
        ))}
      </div>
      <Answer of={list} loading={<Loading rows={8} height={36} />}>
        {() => {
          if (list.rows.length > 0)
            return (
              <Rows rows={list.rows} list={list} idOf={({ id }) => id} label={label} height={HEIGHT}>
                {children}
              </Rows>
            );
          return Object.keys(filters).length > 0 ? <NoMatch onClear={() => onSearch(sort ? { sort } : {})} /> : none;
        }}
      </Answer>
      <AsCall of={{ method: "GET", path: `/api/v1${path}`, node: `${resourceOf(path)}.list`, query: search }} />
    </>
  );
}

interface FacetChoicesProps {
  facet: Facet;
  chosen: string | undefined;
  counts: Record<string, number> | undefined;
  onChoose: (word: string | undefined) => void;
}

function FacetChoices({ facet, chosen, counts, onChoose }: FacetChoicesProps) {
  const t = useTexts(texts);
  const all = counts && Object.values(counts).reduce((sum, count) => sum + count, 0);
  return (
    <Choices of={facet.label}>
      <Choice text={t("all")} chosen={chosen === undefined} count={all} onClick={() => onChoose(undefined)} />
      {facet.words.map(([word, text]) => (
        <Choice
          key={word}
          text={text}
          chosen={chosen === word}
          count={counts?.[word]}
          onClick={() => onChoose(chosen === word ? undefined : word)}
        />
      ))}
    </Choices>
  );
}
