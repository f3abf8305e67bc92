import type { GoalMetrics, StepGoal } from "@tidings/contract/campaigns/goals";
import type { GoalGroup, Lift as LiftShape } from "@tidings/contract/facts/comparison";
import { useFormat } from "../../../platform/language/format.ts";
import { useTexts } from "../../../platform/language/texts.ts";
import { Badge, Section, type Tone } from "../../../platform/look/parts.tsx";
import type { Campaign } from "../../campaign-shape.ts";
import css from "../operate.module.css";
import { useStepNames } from "../steps.ts";
import { LiftBar } from "./lift-bar.tsx";
import { texts } from "./texts.ts";

/** Who reached the goal, after which message, and whether the messages made the difference. */
export function Goal({ campaign, goal }: { campaign: Campaign; goal: GoalMetrics }) {
  const t = useTexts(texts);
  const format = useFormat();
  const nameOf = useStepNames(campaign.steps);
  const { reached, runs, rate, open, unattributed } = goal;
  const steps = Object.entries(goal.steps);
  const tested = steps.filter(([, step]) => step.lift || Object.values(step.variants ?? {}).some(({ lift }) => lift));
  return (
    <Section title={t("goal")}>
      <p className={css.said}>
        {t("goalOf", { reached, runs, rate: rate === null ? "–" : format.percent(rate) })}{" "}
        {open > 0 && t("goalOpen", { count: open })} {unattributed > 0 && t("unattributed", { count: unattributed })}
      </p>
      <ul className={css.plain}>
        {steps
          .filter(([, { attributed }]) => attributed > 0)
          .map(([id, { attributed, clicked, seen, sent }]) => (
            <li key={id}>
              {nameOf(id)}: <strong className="numbers">{format.number(attributed)}</strong>{" "}
              <span className="quiet">
                {t("attributed")}, {t("byTouch", { clicked, seen, sent })}
              </span>
            </li>
          ))}
      </ul>
      <h3 className={css.small}>{t("lift")}</h3>
      <p className="quiet">{t(tested.length > 0 ? "liftBody" : "noHoldout")}</p>
      {tested.map(([id, step]) => (
        <StepLift key={id} name={nameOf(id)} step={step} />
      ))}
    </Section>
  );
}

function StepLift({
  name,
  step: { messaged, held_out: heldOut, lift, variants, open },
}: {
  name: string;
  step: StepGoal;
}) {
  const t = useTexts(texts);
  return (
    <div className={css.lift}>
      <strong>{name}</strong>
      {heldOut && <Group name={t("held_out")} group={heldOut} />}
      {messaged && <Group name={t("messaged")} group={messaged} lift={lift} />}
      {Object.entries(variants ?? {}).map(([variant, { lift: own, ...group }]) => (
        <Group key={variant} name={variant} group={group} lift={own} />
      ))}
      {open !== undefined && open > 0 && <span className="quiet">{t("goalOpen", { count: open })}</span>}
    </div>
  );
}

const tones: Record<LiftShape["verdict"], Tone> = {
  not_enough_yet: "plain",
  no_clear_difference: "plain",
  higher: "good",
  lower: "bad",
};

/** The rate of a group, and how it compares with another one. */
function Group({ name, group, lift }: { name: string; group: GoalGroup; lift?: LiftShape | undefined }) {
  const t = useTexts(texts);
  const format = useFormat();
  const points = (part: number) =>
    `${part > 0 ? "+" : ""}${(part * 100).toLocaleString(undefined, { maximumFractionDigits: 1 })}`;
  const against = lift && (lift.against === "held_out" ? t("held_out") : lift.against);
  return (
    <div className={css.group}>
      <span>
        {name}: <strong className="numbers">{group.rate === null ? "–" : format.percent(group.rate)}</strong>{" "}
        <span className="quiet numbers">{t("group", { reached: group.reached, people: group.people })}</span>
      </span>
      {lift && (
        <span>
          <Badge tone={tones[lift.verdict]}>{t(`verdict_${lift.verdict}`)}</Badge>{" "}
          {lift.difference !== null && lift.interval && (
            <span className="numbers">
              {t("points", { value: points(lift.difference) })} {t("against", { group: against ?? "" })},{" "}
              <span className="quiet">
                {t("interval", { from: points(lift.interval[0] as number), to: points(lift.interval[1] as number) })}
              </span>
            </span>
          )}
          {lift.interval && lift.difference !== null && (
            <LiftBar difference={lift.difference} interval={lift.interval} />
          )}
          {!lift.enough && <span className="quiet"> {t("enoughWhen")}</span>}
        </span>
      )}
    </div>
  );
}
