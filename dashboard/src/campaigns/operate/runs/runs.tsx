import { Group } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import type { Run } from "@tidings/contract/campaigns/campaigns";
import { useList } from "../../../platform/call/queries.ts";
import { AsCall } from "../../../platform/code/as-call.tsx";
import { useTexts } from "../../../platform/language/texts.ts";
import { NoMatch } from "../../../platform/list/more.tsx";
import { Rows } from "../../../platform/rows.tsx";
import { Answer, Empty, Loading } from "../../../platform/states/states.tsx";
import type { TabProps } from "../../tabs.tsx";
import css from "../operate.module.css";
import { filtersOf, queryOf, type RunFilters } from "../search.ts";
import { CancelByKey } from "./cancel-by-key.tsx";
import { ChangeMany } from "./change-many.tsx";
import { RunDrawer } from "./run-drawer.tsx";
import { RunFilterBar } from "./run-filter-bar.tsx";
import { RunRow } from "./run-row.tsx";
import { StartRun } from "./start-run.tsx";
import { texts } from "./texts.ts";

const route = getRouteApi("/w/$workspace/campaigns/$id");
const AGAIN_MS = 5_000;
const HEIGHT = 60;

/** The runs of a campaign, all or those behind a number. Filters and the open run are in the address. */
export function Runs({ campaign }: TabProps) {
  const t = useTexts(texts);
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const filters = filtersOf(search);
  const path = `/campaigns/${campaign.id}/runs`;
  const query = queryOf(filters);
  const list = useList<Run>(path, { ...query, limit: 100 }, { keep: true, everyMs: AGAIN_MS });
  const open = search.run;
  const change = (to: RunFilters) => void navigate({ search: { tab: "runs", ...to }, replace: true });
  return (
    <>
      <RunFilterBar campaign={campaign} filters={filters} onChange={change} />
      <Group gap="xs" my="sm">
        <ChangeMany campaign={campaign} filters={filters} />
        <span className={css.push} />
        <StartRun campaign={campaign} />
        <CancelByKey campaign={campaign} />
      </Group>
      <Answer of={list} loading={<Loading rows={8} height={36} />}>
        {() =>
          list.rows.length > 0 ? (
            <Rows rows={list.rows} list={list} idOf={({ id }) => id} label={t("runs")} height={HEIGHT}>
              {(run) => <RunRow run={run} filters={filters} />}
            </Rows>
          ) : Object.keys(filters).length > 0 ? (
            <NoMatch onClear={() => change({})} />
          ) : (
            <Empty icon="route" title={t("none")}>
              {t("noneBody")}
            </Empty>
          )
        }
      </Answer>
      <RunDrawer
        campaign={campaign}
        id={open}
        onClose={() => void navigate({ search: ({ run: _, ...rest }) => rest })}
      />
      <AsCall of={{ method: "GET", path: `/api/v1${path}`, query, node: "campaigns.runs", ids: [campaign.id] }} />
    </>
  );
}
