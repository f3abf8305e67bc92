import { Link } from "@tanstack/react-router";
import type { Form } from "../../platform/form/form.ts";
import { faultAt } from "../../platform/form/refusals.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { Icon } from "../../platform/look/icons.tsx";
import css from "../broadcasts.module.css";
import type { DraftSearch } from "./search.ts";
import { texts } from "./texts.ts";
import { type DraftValues, type Step, stepOf, steps } from "./values.ts";

/** What has to be there before it can be sent. */
const isComplete = ({ audience, editions }: DraftValues, step: Step): boolean | undefined => {
  if (step === "audience") return audience.audience_id !== undefined || audience.audience !== undefined;
  if (step !== "content") return undefined;
  const { message_id, content, variants } = editions;
  const said = Object.values(content ?? {}).some((text) => text !== "");
  return variants ? variants.length > 1 : message_id !== undefined || said;
};

/** The way from nothing to sent. Each step can be opened at any time. */
export function Steps({ form, open }: { form: Form<DraftValues>; open: Step }) {
  const t = useTexts(texts);
  const faulty = new Set(
    Object.keys(form.values)
      .filter((name) => faultAt(form.faults, name))
      .map(stepOf),
  );
  return (
    <nav aria-label={t("steps")}>
      <ol className={css.steps}>
        {steps.map((step, i) => {
          const complete = isComplete(form.values, step);
          return (
            <li key={step}>
              <Link
                to="."
                search={(before: DraftSearch) => ({ ...before, step })}
                replace
                className={css.step ?? ""}
                activeOptions={{ includeSearch: true }}
                data-open={step === open}
              >
                <span className={css.stepNumber} data-complete={complete === true} data-faulty={faulty.has(step)}>
                  {faulty.has(step) ? (
                    <Icon name="warn" size={14} />
                  ) : complete ? (
                    <Icon name="check" size={14} />
                  ) : (
                    i + 1
                  )}
                </span>
                {t(`step_${step}`)}
                {(faulty.has(step) || complete !== undefined) && (
                  <span className="visually-hidden">
                    {t(faulty.has(step) ? "wrong" : complete ? "complete" : "missing")}
                  </span>
                )}
              </Link>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
