import { stepsIn } from "@tidings/contract/campaigns/journey";
import type { TimelineEntry } from "@tidings/contract/campaigns/simulate";
import type { Step } from "@tidings/contract/campaigns/steps";
import { runTexts } from "../../../people/runs/run-texts.ts";
import { useFormat } from "../../../platform/language/format.ts";
import { useTexts } from "../../../platform/language/texts.ts";
import { Icon } from "../../../platform/look/icons.tsx";
import { Facts, Source } from "../../../platform/look/parts.tsx";
import { useStepNames } from "../../operate/steps.ts";
import { useWords } from "../../words/use-words.ts";
import css from "../simulate.module.css";
import { texts } from "../texts.ts";
import { entryDetail, entryWords } from "./entry-words.ts";
import { MessagePreview } from "./message-preview.tsx";

/** What happens at one moment: what the step asks, why it goes on as it does, and what is sent. */
export function Moment({ entry, steps }: { entry: TimelineEntry; steps: Step[] }) {
  const t = useTexts(texts);
  const say = useTexts(runTexts);
  const format = useFormat();
  const words = useWords();
  const nameOf = useStepNames(steps);
  const { step_id: id, because, message, call, event, kind, reason } = entry;
  const step = stepsIn(steps).find((one) => one.id === id);
  const ended = kind === "ended" && reason !== null;
  return (
    <section className={css.moment} aria-live="polite" aria-label={format.instant(entry.at)}>
      <h3 className={css.momentTitle}>{entryWords(entry, t)}</h3>
      {id && (
        <p>
          {nameOf(id)} <span className="quiet">{step && words.detail(step)}</span>
        </p>
      )}
      {entryDetail(entry, { t, format }) && <p>{entryDetail(entry, { t, format })}</p>}
      {ended && <p>{`reason_${reason}` in runTexts ? say(`reason_${reason}` as keyof typeof runTexts) : reason}</p>}
      {event && Object.keys(event.properties).length > 0 && (
        <Facts of={Object.entries(event.properties).map(([name, value]) => [name, JSON.stringify(value)])} />
      )}
      {because.length > 0 && (
        <ul className={css.because} aria-label={t("because")}>
          {because.map(({ pass, text }, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: conditions keep their places
            <li key={i} data-pass={pass}>
              <Icon name={pass ? "check" : "close"} size={14} />
              <span>
                <span lang="en">{text}</span> <span className="quiet">{t(pass ? "holds" : "holdsNot")}</span>
              </span>
            </li>
          ))}
        </ul>
      )}
      {message && <MessagePreview message={message} />}
      {call && (
        <>
          <Facts
            of={[
              [t("call"), <code key="url">{call.url}</code>],
              [t("answer"), `${call.status ?? call.error ?? ""} · ${t("attempt", { attempt: call.attempt })}`],
            ]}
          />
          <p className="quiet">{t("sent")}</p>
          <Source text={JSON.stringify(call.body, null, 2)} />
          {call.response !== null && call.response !== undefined && (
            <>
              <p className="quiet">{t("answer")}</p>
              <Source text={JSON.stringify(call.response, null, 2)} />
            </>
          )}
        </>
      )}
    </section>
  );
}
