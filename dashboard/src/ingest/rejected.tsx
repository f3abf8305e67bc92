import type { Rejected as RejectedShape } from "@tidings/contract/facts/ingest";
import { getRouteApi } from "@tanstack/react-router";
import { useMemo } from "react";
import type { Static } from "typebox";
import { useList, useRead } from "../platform/call/queries.ts";
import { useTexts } from "../platform/language/texts.ts";
import { More, NoRows } from "../platform/list/more.tsx";
import { changedSearch } from "../platform/list/search.ts";
import { List, Section } from "../platform/look/parts.tsx";
import { Answer, Empty, Loading } from "../platform/states/states.tsx";
import { Page } from "../platform/trail.tsx";
import { Counts } from "./counts.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { Item } from "./item.tsx";
import { type Change, isFiltered, sinceOf } from "./search.ts";
import { texts } from "./texts.ts";

type RejectedRow = Static<typeof RejectedShape>;
const route = getRouteApi("/w/$workspace/rejected");

/** What came in and was refused or left out, and why. The filters and the open item are in the address. */
export function Rejected() {
  const t = useTexts(texts);
  const { open, ...search } = route.useSearch();
  const navigate = route.useNavigate();
  const now = useMemo(() => Date.now(), []);
  const since = sinceOf(search, now);
  const { period: _, ...filters } = search;
  const list = useList<RejectedRow>(
    "/ingestion/rejected",
    { ...filters, since, limit: 50 },
    { keep: true, everyMs: 15_000 },
  );
  const change = (changed: Change) =>
    void navigate({
      search: (before) => changedSearch(before, changed),
      replace: true,
    });
  const clear = () => change({ code: undefined, route: undefined, person_id: undefined });
  return (
    <Page title={t("rejected")} lead={t("lead")} wide>
      <FilterBar search={search} onChange={change} onClear={clear} />
      <Counts since={since} search={search} onChange={change} />
      {open && list.data && !list.rows.some(({ id }) => id === open) && (
        <Linked id={open} onClose={() => change({ open: undefined })} />
      )}
      <Section title={t("items")}>
        <Answer of={list} loading={<Loading rows={8} />}>
          {() =>
            list.rows.length === 0 ? (
              <NoRows filtered={isFiltered(search)} title={t("noMatch")} body={t("noMatchBody")} onClear={clear}>
                <Empty icon="check" title={t("none")}>
                  {t("noneBody")}
                </Empty>
              </NoRows>
            ) : (
              <List ordered label={t("items")} busy={list.isPlaceholderData}>
                {list.rows.map((row) => (
                  <Item
                    key={row.id}
                    row={row}
                    open={row.id === open}
                    onOpen={() => change({ open: row.id === open ? undefined : row.id })}
                  />
                ))}
              </List>
            )
          }
        </Answer>
        <More list={list} text={t("older")} />
      </Section>
    </Page>
  );
}

/** The item that the address names, where the list does not have it: it is older, or the filters leave it out. */
function Linked({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useTexts(texts);
  const read = useRead<RejectedRow>(`/ingestion/rejected/${encodeURIComponent(id)}`);
  return (
    <Section title={t("linked")}>
      <Answer of={read} loading={<Loading rows={3} />}>
        {(row) => (
          <List ordered label={t("linked")}>
            <Item row={row} open onOpen={onClose} />
          </List>
        )}
      </Answer>
    </Section>
  );
}
