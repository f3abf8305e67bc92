import { NativeSelect, Select } from "@mantine/core";
import { memo } from "react";
import { useRead } from "../../platform/call/queries.ts";
import { useFormat } from "../../platform/language/format.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { ListSearch } from "../../platform/list/list-search.tsx";
import css from "../people.module.css";
import { orders, type PeopleSearch } from "../search.ts";
import { texts } from "../texts.ts";

interface FindProps {
  search: PeopleSearch;
  onChange: (search: PeopleSearch) => void;
}

/** Finds people by text, puts them in an order, or takes those of an audience, and says how many there are. */
export const Find = memo(function Find({ search, onChange }: FindProps) {
  const t = useTexts(texts);
  const { q = "", sort, audience } = search;
  const audiences = useRead<{ data: { id: string; name: string }[] }>("/audiences", { limit: 200, sort: "name" });
  const known = audiences.data?.data.map(({ id, name }) => ({ value: id, label: name })) ?? [];
  const other =
    audience && !known.some(({ value }) => value === audience) ? [{ value: audience, label: audience }] : [];
  return (
    <search className={css.find}>
      <ListSearch
        className={css.search}
        label={t("search")}
        placeholder={t(audience ? "notInAudience" : "search")}
        longest={256}
        disabled={audience !== undefined}
        value={q}
        onSearch={(text) => onChange({ ...(text && { q: text }), ...(sort && { sort }) })}
      />
      <Select
        aria-label={t("audience")}
        className={css.audience ?? ""}
        placeholder={t("anyAudience")}
        searchable
        clearable
        clearButtonProps={{ "aria-label": t("anyAudience") }}
        nothingFoundMessage={t("noAudience")}
        limit={60}
        value={audience ?? null}
        onChange={(value) => onChange(value ? { audience: value } : {})}
        data={[...known, ...other]}
      />
      {audience === undefined && (
        <NativeSelect
          aria-label={t("order")}
          className={css.order ?? ""}
          value={sort ?? ""}
          onChange={({ currentTarget: { value } }) => {
            const chosen = orders.find((one) => one === value);
            onChange({ ...(q && { q }), ...(chosen && { sort: chosen }) });
          }}
          data={[
            { value: "", label: t("order_changed") },
            ...orders.map((value) => ({ value, label: t(`order_${value}`) })),
          ]}
        />
      )}
      {audience === undefined && <Count q={q} />}
    </search>
  );
});

/** How many people there are, or match. */
function Count({ q }: { q: string }) {
  const t = useTexts(texts);
  const { number } = useFormat();
  const query = { limit: 1, counts: true, ...(q && { q }) };
  const { data } = useRead<{ counts: { total: number; exact: boolean } }>("/people", query, { keep: true });
  if (!data) return null;
  const { total, exact } = data.counts;
  return (
    <span className={`${css.count} quiet numbers`} role="status">
      {t("counted", { count: total, number: `${number(total)}${exact ? "" : "+"}` })}
    </span>
  );
}
