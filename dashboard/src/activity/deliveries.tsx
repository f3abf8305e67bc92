import { ActionIcon, Button, Tooltip } from "@mantine/core";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useCallback, useMemo } from "react";
import { useList } from "../platform/call/queries.ts";
import { useWorkspace } from "../platform/call/workspace.ts";
import { useFormat } from "../platform/language/format.ts";
import { useTexts } from "../platform/language/texts.ts";
import { Icon } from "../platform/look/icons.tsx";
import { Rows } from "../platform/rows.tsx";
import { Answer, Empty, Loading } from "../platform/states/states.tsx";
import { Page } from "../platform/trail.tsx";
import css from "./activity.module.css";
import type { Delivery } from "./delivery.ts";
import { DeliveryDrawer } from "./delivery-drawer.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { type Filters, isFiltered, queryOf } from "./filters.ts";
import { ChannelName, Status } from "./status.tsx";
import { texts } from "./texts.ts";

const route = getRouteApi("/w/$workspace/deliveries");
const NARROW = "(max-width: 720px)";

/** All deliveries, newest first; filters and the open one are in the address. */
export function Deliveries() {
  const t = useTexts(texts);
  const { open, ...filters } = route.useSearch();
  const navigate = route.useNavigate();
  const now = useMemo(() => Date.now(), []);
  const list = useList<Delivery>("/deliveries", queryOf(filters, now));
  const height = window.matchMedia(NARROW).matches ? 64 : 44;

  const change = useCallback(
    (changed: { [K in keyof Filters]: Filters[K] | undefined }) =>
      void navigate({
        search: (before) =>
          Object.fromEntries(Object.entries({ ...before, ...changed }).filter(([, value]) => value !== undefined)),
        replace: true,
      }),
    [navigate],
  );
  const clear = () => void navigate({ search: {} });
  const refresh = (
    <Tooltip label={t("refresh")}>
      <ActionIcon
        variant="default"
        size={36}
        loading={list.isRefetching}
        onClick={() => void list.refetch()}
        aria-label={t("refresh")}
      >
        <Icon name="refresh" />
      </ActionIcon>
    </Tooltip>
  );
  return (
    <Page title={t("deliveries")} lead={t("lead")} actions={refresh} wide>
      <FilterBar filters={filters} onChange={change} onClear={clear} />
      <Answer of={list} loading={<Loading rows={10} />}>
        {() =>
          list.rows.length === 0 ? (
            isFiltered(filters) ? (
              <Empty
                icon="search"
                title={t("noMatch")}
                action={
                  <Button variant="default" onClick={clear}>
                    {t("clear")}
                  </Button>
                }
              >
                {t("noMatchBody")}
              </Empty>
            ) : (
              <Empty icon="send" title={t("none")}>
                {t("noneBody")}
              </Empty>
            )
          ) : (
            <Rows rows={list.rows} list={list} idOf={({ id }) => id} label={t("deliveries")} height={height}>
              {(delivery) => <Row delivery={delivery} />}
            </Rows>
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
}

/** A link to its drawer, which marks the row while that is open. */
function Row({ delivery }: { delivery: Delivery }) {
  const t = useTexts(texts);
  const format = useFormat();
  const { id: workspace } = useWorkspace();
  return (
    <Link
      from="/w/$workspace/deliveries"
      to="/w/$workspace/deliveries"
      params={{ workspace }}
      search={(before) => ({ ...before, open: delivery.id })}
      className={css.row ?? ""}
    >
      <span className={css.rowStatus}>
        <Status of={delivery.status} />
      </span>
      <span className={`${css.rowWho} cut`}>{delivery.recipient ?? delivery.person_id ?? t("erased")}</span>
      <span className={`${css.rowChannel} quiet`}>
        <ChannelName of={delivery.channel} />
      </span>
      <span className={`${css.rowSource} quiet cut`}>{t(delivery.source)}</span>
      <time
        className={`${css.rowTime} quiet numbers`}
        dateTime={delivery.queued_at}
        title={format.instant(delivery.queued_at)}
      >
        {format.ago(delivery.queued_at)}
      </time>
    </Link>
  );
}
