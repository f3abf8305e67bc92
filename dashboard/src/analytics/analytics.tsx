import type { Breakdown as BreakdownShape, Series } from "@tidings/contract/facts/analytics";
import type { Workspace } from "@tidings/contract/workspaces";
import { ActionIcon, Group, Tooltip } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { useEffect, useMemo, useState } from "react";
import type { Static } from "typebox";
import { useRead } from "../platform/call/queries.ts";
import { useTexts } from "../platform/language/texts.ts";
import { changedSearch } from "../platform/list/search.ts";
import { Icon } from "../platform/look/icons.tsx";
import { Answer, Loading } from "../platform/states/states.tsx";
import { Page } from "../platform/trail.tsx";
import css from "./analytics.module.css";
import { Breakdown } from "./breakdown.tsx";
import { dayOf } from "./time/dates.ts";
import { Download } from "./download.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { Quiet } from "./quiet.tsx";
import { metricsOf } from "./metrics.ts";
import { OverTime } from "./chart/over-time.tsx";
import { type Period, periodOf, sameLength } from "./time/period.ts";
import { type AnalyticsSearch, type Change, scopeOf } from "./search.ts";
import { texts } from "./texts.ts";
import { Tiles } from "./tiles.tsx";
import { useTimes } from "./time/times.ts";

const route = getRouteApi("/w/$workspace/analytics");
const LOOK_MS = 30_000;
const MINUTE_MS = 60_000;

/** What became of messages, in numbers. All of what is chosen is in the address. */
export function Analytics() {
  const t = useTexts(texts);
  const workspace = useRead<Static<typeof Workspace>>("/workspace");
  if (workspace.data) return <Room zone={workspace.data.timezone} />;
  return (
    <Page title={t("analytics")} lead={t("lead")} wide>
      <Answer of={workspace} loading={<Loading rows={10} />}>
        {() => null}
      </Answer>
    </Page>
  );
}

/** Returns the time, anew each minute: a page that stays open goes into the next day. */
function useNow(): [number, () => void] {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE_MS);
    return () => clearInterval(timer);
  }, []);
  return [now, () => setNow(Date.now())];
}

function Room({ zone }: { zone: string }) {
  const t = useTexts(texts);
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [now, renew] = useNow();
  const period = periodOf(search, zone, now);
  const wrong = period.days !== undefined && period.days.first > period.days.last;
  const numbers = useNumbers(search, period, { now, enabled: !wrong });
  const change = (changed: Change) =>
    void navigate({
      search: (before) => changedSearch(before, changed),
      replace: true,
    });
  const { series } = numbers;
  return (
    <Page
      title={t("analytics")}
      lead={`${t("lead")} ${t("zone", { zone })}`}
      wide
      actions={
        <Group gap="xs">
          {series.data && !wrong && <Download range={series.data} bucket={period.bucket} search={search} />}
          <Tooltip label={t("refresh")}>
            <ActionIcon
              variant="default"
              size={36}
              loading={series.isRefetching}
              aria-label={t("refresh")}
              onClick={() => {
                renew();
                void series.refetch();
              }}
            >
              <Icon name="refresh" />
            </ActionIcon>
          </Tooltip>
        </Group>
      }
    >
      <FilterBar
        search={search}
        days={period.days}
        today={dayOf(now, zone)}
        sourceName={numbers.sourceName}
        problem={wrong ? t("wrongPeriod") : undefined}
        onChange={change}
      />
      {!wrong && (
        <Answer of={series} loading={<Loading rows={10} />}>
          {(data) => <Shown {...{ data, period, now, search, numbers }} onChange={change} />}
        </Answer>
      )}
    </Page>
  );
}

type Numbers = ReturnType<typeof useNumbers>;

/** Reads the numbers of the period, of the period before, and the name of the one source that is shown. */
function useNumbers(
  search: AnalyticsSearch,
  { bucket, now, before }: Period,
  options: { now: number; enabled: boolean },
) {
  const { enabled } = options;
  const scope = scopeOf(search);
  const by = search.by === "source_id" ? undefined : search.by;
  const comparing = enabled && search.compare !== false;
  const series = useRead<Series>(
    "/analytics",
    { bucket, ...now, ...scope, ...(by && { by }) },
    { enabled, keep: true, everyMs: LOOK_MS },
  );
  const seriesBefore = useRead<Series>(
    "/analytics",
    { bucket, ...before, ...scope },
    { enabled: comparing, keep: true },
  );
  const cut = series.data && seriesBefore.data && sameLength(series.data, seriesBefore.data, options.now);
  const totalsBefore = useRead<BreakdownShape>(
    "/analytics/metrics",
    { ...(cut && { from: cut.from, to: cut.to }), ...scope },
    { enabled: comparing && cut !== undefined, keep: true },
  );
  const source = useRead<BreakdownShape>(
    "/analytics/metrics",
    { by: "source_id", limit: 1, ...(search.source_id && { source_id: search.source_id }) },
    { enabled: search.source_id !== undefined },
  );
  return {
    series,
    before: comparing && search.by === undefined ? seriesBefore.data : undefined,
    totalsBefore: comparing ? totalsBefore.data?.totals : undefined,
    sourceName: source.data?.data[0]?.name ?? undefined,
  };
}

interface ShownProps {
  data: Series;
  period: Period;
  now: number;
  search: AnalyticsSearch;
  numbers: Numbers;
  onChange: (change: Change) => void;
}

function Shown({ data, period, now, search, numbers, onChange }: ShownProps) {
  const t = useTexts(texts);
  const times = useTimes(data.timezone, data.bucket);
  const { totals, from, to } = data;
  const range = useMemo(() => ({ from, to }), [from, to]);
  const shown = metricsOf(search.channel, totals, numbers.totalsBefore);
  const metric = search.metric && shown.includes(search.metric) ? search.metric : "sent";
  if (Object.values(totals).every((number) => number === 0)) return <Quiet search={search} onChange={onChange} />;
  const { days } = period;
  return (
    <div aria-busy={numbers.series.isPlaceholderData} className={css.shown}>
      <p className={css.period}>
        {days ? times.days(days.first, days.last) : t("period_24h")}
        {numbers.totalsBefore && (
          <span className="quiet">
            {" "}
            {days
              ? t(Date.parse(to) > now ? "comparedWithPart" : "comparedWith", {
                  period: times.days(days.firstBefore, days.lastBefore),
                })
              : t("comparedWith24h")}
          </span>
        )}
      </p>
      <Tiles
        shown={shown}
        series={data}
        before={numbers.totalsBefore}
        search={search}
        chosen={metric}
        onChoose={(name) => onChange({ metric: name === "sent" ? undefined : name })}
      />
      <OverTime
        metric={metric}
        series={data}
        before={numbers.before}
        search={search}
        onView={(view) => onChange({ view })}
      />
      <Breakdown shown={shown} range={range} search={search} onChange={onChange} />
    </div>
  );
}
