import { ActionIcon, Tooltip } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { memo, useCallback, useDeferredValue, useMemo, useState } from "react";
import { useList } from "../platform/call/queries.ts";
import { useTexts } from "../platform/language/texts.ts";
import { NoRows } from "../platform/list/more.tsx";
import { changedSearch } from "../platform/list/search.ts";
import { Icon } from "../platform/look/icons.tsx";
import { Rows } from "../platform/rows.tsx";
import { Answer, Empty, Loading } from "../platform/states/states.tsx";
import { Page } from "../platform/trail.tsx";
import css from "./activity.module.css";
import type { Delivery } from "./delivery.ts";
import { DeliveryDrawer } from "./delivery-drawer.tsx";
import { DeliveryRow } from "./delivery-row.tsx";
import { Facets } from "./filters/facets.tsx";
import { FilterBar } from "./filters/filter-bar.tsx";
import { type Changed, type DeliveriesSearch, isFiltered, queryOf } from "./filters/search.ts";
import { texts } from "./texts.ts";

const route = getRouteApi("/w/$workspace/deliveries");
const NARROW = "(max-width: 720px)";
/** Rows of one call: a fast scroll through 50,000 deliveries takes 500 calls. */
const PAGE = 100;

/** All deliveries; filters, order and the open one are in the address. */
export function Deliveries() {
  // The page follows the address in parts of 5 ms. At once, it would hold up a key that is pressed meanwhile by 100 ms on a slow machine.
  return <Room given={useDeferredValue(route.useSearch())} />;
}

const Room = memo(function Room({ given }: { given: DeliveriesSearch & { open?: string } }) {
  const t = useTexts(texts);
  const { open } = given;
  // One object for as long as the address stays: each row has it, and is not drawn again.
  const search = useMemo(() => {
    const { open: _, ...rest } = given;
    return rest;
  }, [given]);
  const navigate = route.useNavigate();
  const [now, setNow] = useState(Date.now);
  const query = { ...queryOf(search, now), limit: PAGE };
  const list = useList<Delivery>("/deliveries", query, { keep: true });
  const height = window.matchMedia(NARROW).matches ? 64 : 44;

  const change = useCallback(
    (changed: Changed) =>
      void navigate({
        search: (before) => changedSearch(before, changed),
        replace: true,
      }),
    [navigate],
  );
  const clear = useCallback(() => void navigate({ search: {} }), [navigate]);
  const refresh = (
    <Tooltip label={t("refresh")}>
      <ActionIcon
        variant="default"
        size={36}
        loading={list.isRefetching}
        onClick={() => {
          setNow(Date.now());
          list.toNewest();
        }}
        aria-label={t("refresh")}
      >
        <Icon name="refresh" />
      </ActionIcon>
    </Tooltip>
  );
  return (
    <Page title={t("deliveries")} lead={t("lead")} actions={refresh} wide>
      <FilterBar search={search} onChange={change} onClear={clear} />
      <Facets search={search} now={now} onChange={change} />
      <Answer of={list} loading={<Loading rows={10} />}>
        {() =>
          list.rows.length === 0 ? (
            <NoRows filtered={isFiltered(search)} title={t("noMatch")} body={t("noMatchBody")} onClear={clear}>
              <Empty icon="send" title={t("none")}>
                {t("noneBody")}
              </Empty>
            </NoRows>
          ) : (
            <div className={css.answer} data-old={list.isPlaceholderData}>
              <Rows rows={list.rows} list={list} idOf={({ id }) => id} label={t("deliveries")} height={height}>
                {(delivery) => <DeliveryRow delivery={delivery} search={search} />}
              </Rows>
            </div>
          )
        }
      </Answer>
      <DeliveryDrawer
        id={open}
        onClose={() => void navigate({ search: ({ open: _, ...others }) => others })}
        onOpen={(id) => void navigate({ search: (before) => ({ ...before, open: id }) })}
      />
    </Page>
  );
});
