import { Anchor } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useWorkspace } from "../../platform/call/workspace.ts";
import { useFormat } from "../../platform/language/format.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { Note } from "../../platform/look/parts.tsx";
import css from "../activity.module.css";
import { type DeliveryDetail, toneOf } from "../delivery.ts";
import { type Failure, failureOf } from "./failure.ts";
import { failureTexts } from "./texts.ts";

/** Why a delivery did not arrive, or not yet, in plain words, and what to do about it. */
export function FailureNote({ delivery }: { delivery: DeliveryDetail }) {
  const t = useTexts(failureTexts);
  const format = useFormat();
  const { status, reason, attempts, due_at: due, provider, person_id: person } = delivery;
  if (["queued", "sending"].includes(status) && reason && attempts > 0)
    return (
      <div className={css.why}>
        <Note tone="warn">
          <p className={css.means}>{t("waiting")}</p>
          <Words who={provider ?? t("service")} words={reason} />
          <p className={css.todo}>
            <strong>{t("todo")}</strong> {t("waitingTodo", { time: due ? format.ago(due) : t("soon") })}
          </p>
        </Note>
      </div>
    );
  const failure = failureOf(delivery);
  if (!failure) return null;
  return (
    <div className={css.why}>
      <Note tone={toneOf(status) === "bad" ? "bad" : "warn"}>
        <p className={css.means}>{t(failure.means)}</p>
        {failure.words && <Words who={provider ?? t("service")} words={failure.words} />}
        <p className={css.todo}>
          <strong>{t("todo")}</strong> {t(failure.todo)}
        </p>
        {failure.place && <Place of={failure.place} person={person} />}
      </Note>
    </div>
  );
}

function Words({ who, words }: { who: string; words: string }) {
  const t = useTexts(failureTexts);
  return (
    <p className={css.words}>
      {t("words", { who })}: <q className="mono">{words}</q>
    </p>
  );
}

function Place({ of, person }: { of: NonNullable<Failure["place"]>; person: string | null }) {
  const t = useTexts(failureTexts);
  const { id: workspace } = useWorkspace();
  if (of === "person" && person === null) return null;
  const path = of === "person" ? `people/${encodeURIComponent(person as string)}` : of;
  return (
    <Anchor component={Link} to={`/w/${workspace}/${path}`} c="inherit" underline="always" fz="inherit">
      {t(of)}
    </Anchor>
  );
}
