import { getRouteApi } from "@tanstack/react-router";
import { stepsIn } from "@tidings/contract/campaigns/journey";
import type { CampaignMetrics } from "@tidings/contract/campaigns/runs";
import type { Static } from "typebox";
import { channels } from "../../../activity/delivery.ts";
import { FailureReasons } from "../../../activity/failure/failure-reasons.tsx";
import { useRead } from "../../../platform/call/queries.ts";
import { AsCall } from "../../../platform/code/as-call.tsx";
import { useFormat } from "../../../platform/language/format.ts";
import { useTexts } from "../../../platform/language/texts.ts";
import { Choice, Section } from "../../../platform/look/parts.tsx";
import { Answer, Empty, Loading } from "../../../platform/states/states.tsx";
import type { TabProps } from "../../tabs.tsx";
import css from "../operate.module.css";
import { Goal } from "./goal.tsx";
import { MessageTable } from "./message-table.tsx";
import { Occurrences } from "./occurrences.tsx";
import { OverTime } from "./over-time.tsx";
import { StepTable } from "./step-table.tsx";
import { texts } from "./texts.ts";
import { Totals } from "./totals.tsx";

export type Metrics = Static<typeof CampaignMetrics>;
export const METRICS_MS = 5_000;
const route = getRouteApi("/w/$workspace/campaigns/$id");

/** What became of a campaign, in numbers that open the runs or messages behind them. */
export function Numbers({ campaign }: TabProps) {
  const t = useTexts(texts);
  const { channel } = route.useSearch();
  const path = `/campaigns/${campaign.id}/metrics`;
  const read = useRead<Metrics>(path, { ...(channel && { channel }) }, { keep: true, everyMs: METRICS_MS });
  if (!campaign.published)
    return (
      <Empty icon="chart" title={t("none")}>
        {t("noneBody")}
      </Empty>
    );
  return (
    <Answer of={read} loading={<Loading rows={10} />}>
      {(metrics) => (
        <>
          <Totals campaign={campaign.id} runs={metrics.runs} />
          <Kept since={metrics.kept_since} />
          <Channels campaign={campaign} />
          <Section title={t("steps")}>
            <StepTable campaign={campaign.id} steps={campaign.steps} counts={metrics.steps} links />
          </Section>
          <MessageTable campaign={campaign} counts={metrics.steps} />
          <FailureReasons room="campaigns" id={campaign.id} />
          {metrics.goal && <Goal campaign={campaign} goal={metrics.goal} />}
          <OverTime campaign={campaign.id} hasGoal={metrics.goal !== undefined} />
          {metrics.occurrences && metrics.occurrences.length > 0 && <Occurrences of={metrics.occurrences} />}
          <AsCall
            of={{
              method: "GET",
              path: `/api/v1${path}`,
              query: { channel },
              node: "campaigns.metrics",
              ids: [campaign.id],
            }}
          />
        </>
      )}
    </Answer>
  );
}

function Kept({ since }: { since: string | null }) {
  const t = useTexts(texts);
  const format = useFormat();
  return since && <p className="quiet">{t("keptSince", { date: format.date(since) })}</p>;
}

/** Chooses one of the channels that the journey sends on. */
function Channels({ campaign: { steps } }: Pick<TabProps, "campaign">) {
  const t = useTexts(texts);
  const { channel } = route.useSearch();
  const navigate = route.useNavigate();
  const used = new Set(
    stepsIn(steps).flatMap((step) =>
      step.type === "message" ? [step.channel, ...(step.escalate ?? []).map((one) => one.channel)] : [],
    ),
  );
  const offered = channels.filter((one) => used.has(one) || one === channel);
  const choose = (to: typeof channel) =>
    void navigate({ search: ({ channel: _, ...rest }) => ({ ...rest, ...(to && { channel: to }) }), replace: true });
  if (offered.length < 2 && !channel) return null;
  return (
    <fieldset className={css.choices}>
      <legend className="visually-hidden">{t("channel")}</legend>
      <Choice text={t("allChannels")} chosen={channel === undefined} onClick={() => choose(undefined)} />
      {offered.map((one) => (
        <Choice key={one} text={t(one)} chosen={one === channel} onClick={() => choose(one)} />
      ))}
    </fieldset>
  );
}
