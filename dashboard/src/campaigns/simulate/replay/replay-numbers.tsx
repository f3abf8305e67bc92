import type { Replay as ReplayShape } from "@tidings/contract/campaigns/simulate";
import { useState } from "react";
import type { Static } from "typebox";
import { useFormat } from "../../../platform/language/format.ts";
import { type Say, useTexts } from "../../../platform/language/texts.ts";
import { Note, Section } from "../../../platform/look/parts.tsx";
import { Table } from "../../../platform/look/table.tsx";
import type { Draft } from "../../campaign-shape.ts";
import { StepTable } from "../../operate/numbers/step-table.tsx";
import { useBadgesOf } from "../../operate/numbers/step-badges.tsx";
import operate from "../../operate/operate.module.css";
import { JourneyView } from "../journey-view.tsx";
import css from "../simulate.module.css";
import { texts } from "../texts.ts";

type Replay = Static<typeof ReplayShape>;

interface ReplayNumbersProps {
  replay: Replay;
  campaign: string;
  draft: Draft;
}

/** How many would have entered, where they would be now, and what they would have been sent. */
export function ReplayNumbers({ replay, campaign, draft }: ReplayNumbersProps) {
  const t = useTexts(texts);
  const format = useFormat();
  const { people, simulated, estimate, entered, refused, status, goal, stopped } = replay;
  const badges = useBadgesOf(replay.steps);
  const [step, setStep] = useState<string | null>(null);
  const about = (count: number) => `${estimate ? "≈ " : ""}${format.number(count)}`;
  const totals: [string, string, string?][] = [
    [t("could"), format.number(people)],
    [t("wouldEnter"), about(entered)],
    [t("refused"), about(sumOf(refused)), namedCounts(refused, "refused", t)],
    ...Object.entries(status).map(([name, count]): [string, string] => [
      t(`status_${name}` as "status_active"),
      about(count),
    ]),
    ...(goal ? [[t("reached"), about(goal.reached)] as [string, string]] : []),
  ];
  return (
    <>
      {estimate && <Note tone="warn">{t("estimate", { simulated, people })}</Note>}
      {stopped && <Note tone="warn">{t(`stopped_${stopped}`)}</Note>}
      <dl className={operate.totals}>
        {totals.map(([name, value, why]) => (
          <div key={name} className={operate.total}>
            <dt>{name}</dt>
            <dd className="numbers">
              {value}
              {why && <span className={`${css.why} quiet`}>{why}</span>}
            </dd>
          </div>
        ))}
      </dl>
      <p className="quiet">{t("today")}</p>
      <JourneyView draft={draft} step={step} onStep={(id) => setStep(id ?? null)} badges={badges} />
      <Section title={t("where")}>
        <StepTable campaign={campaign} steps={draft.steps} counts={replay.steps} />
      </Section>
      <Section title={t("wouldSend")}>
        <Sent of={replay.messages} about={about} />
      </Section>
    </>
  );
}

const sumOf = (counts: Record<string, number>): number => Object.values(counts).reduce((sum, count) => sum + count, 0);

function namedCounts(counts: Record<string, number>, prefix: string, t: Say<typeof texts>): string {
  return Object.entries(counts)
    .map(([reason, count]) => {
      const key = `${prefix}_${reason}`;
      return `${count} ${key in texts ? t(key as keyof typeof texts) : reason.replaceAll("_", " ")}`;
    })
    .join(", ");
}

function Sent({ of, about }: { of: Replay["messages"]; about: (count: number) => string }) {
  const t = useTexts(texts);
  if (of.length === 0) return <p className="quiet">{t("nothingSent")}</p>;
  return (
    <Table dense>
      <thead>
        <tr>
          <th scope="col">{t("step")}</th>
          <th scope="col">{t("channel")}</th>
          <th scope="col" data-right>
            {t("wouldBeSent")}
          </th>
          <th scope="col" data-right>
            {t("heldBack")}
          </th>
          <th scope="col">{t("wouldFail")}</th>
        </tr>
      </thead>
      <tbody>
        {of.map(({ step_id: step, channel, sent, failed, held_out: heldOut }) => (
          <tr key={`${step} ${channel}`}>
            <th scope="row">{step}</th>
            <td>{t(channel)}</td>
            <td data-right className="numbers">
              {about(sent)}
            </td>
            <td data-right className="numbers">
              {about(heldOut)}
            </td>
            <td>{namedCounts(failed, "reason", t)}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
