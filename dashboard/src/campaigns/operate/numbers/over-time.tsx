import { Group, NativeSelect, SegmentedControl } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import type { CampaignSeries } from "@tidings/contract/campaigns/runs";
import { useMemo } from "react";
import { Chart } from "../../../analytics/chart/chart.tsx";
import { useTimes } from "../../../analytics/time/times.ts";
import { useRead } from "../../../platform/call/queries.ts";
import { useTexts } from "../../../platform/language/texts.ts";
import { Section } from "../../../platform/look/parts.tsx";
import { Answer, Loading } from "../../../platform/states/states.tsx";
import { type Measure, measuresOf, valuesOf } from "./measures.ts";
import type { Metrics } from "./numbers.tsx";
import { texts } from "./texts.ts";

const route = getRouteApi("/w/$workspace/campaigns/$id");
/** Numbers by the day are counted over many rows. */
const AGAIN_MS = 30_000;

/** One number of the campaign by the day or hour. */
export function OverTime({ campaign, hasGoal }: { campaign: string; hasGoal: boolean }) {
  const t = useTexts(texts);
  const { measure: wanted = "entered", bucket = "day", channel } = route.useSearch();
  const navigate = route.useNavigate();
  const offered = measuresOf(hasGoal);
  const measure = offered.find((one) => one === wanted) ?? "entered";
  const read = useRead<Metrics>(
    `/campaigns/${campaign}/metrics`,
    { bucket, ...(channel && { channel }) },
    { keep: true, everyMs: AGAIN_MS },
  );
  const choices = (
    <Group gap="xs">
      <NativeSelect
        size="xs"
        aria-label={t("measure")}
        value={measure}
        onChange={({ currentTarget: { value } }) =>
          void navigate({ search: (before) => ({ ...before, measure: value as Measure }), replace: true })
        }
        data={offered.map((value) => ({ value, label: t(value) }))}
      />
      <SegmentedControl
        size="xs"
        aria-label={t("period")}
        value={bucket}
        onChange={(to) =>
          void navigate({
            search: ({ bucket: _, ...rest }) => ({ ...rest, ...(to === "hour" && { bucket: "hour" as const }) }),
            replace: true,
          })
        }
        data={[
          { value: "day", label: t("days") },
          { value: "hour", label: t("hours") },
        ]}
      />
    </Group>
  );
  return (
    <Section title={t("overTime")} aside={choices}>
      <Answer of={read} loading={<Loading rows={6} />}>
        {({ series }) => series && <Drawn series={series} measure={measure} />}
      </Answer>
    </Section>
  );
}

function Drawn({ series, measure }: { series: CampaignSeries; measure: Measure }) {
  const t = useTexts(texts);
  const times = useTimes(series.timezone, series.bucket);
  const starts = useMemo(() => series.data.map(({ start }) => start), [series]);
  const lines = useMemo(
    () => [{ key: measure, label: t(measure), colour: "--line-1", dashed: false, values: valuesOf(series, measure) }],
    [series, measure, t],
  );
  return <Chart label={t("chartLabel", { name: t(measure) })} starts={starts} lines={lines} times={times} />;
}
