import type { InAppTestTrace } from "@tidings/contract/inapp/explain";
import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { Static } from "typebox";
import { useRead } from "../../platform/call/queries.ts";
import { useWorkspace } from "../../platform/call/workspace.ts";
import { useFormat } from "../../platform/language/format.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { Icon } from "../../platform/look/icons.tsx";
import { Answer, Loading } from "../../platform/states/states.tsx";
import { tell, tellFault } from "../../platform/states/toasts.tsx";
import { GateDetail } from "../gates/gate-detail.tsx";
import { pathOf } from "../message.ts";
import { texts as inappTexts } from "../texts.ts";
import { texts as own } from "./texts.ts";
import css from "./try-out.module.css";

export type Traced = Static<typeof InAppTestTrace>;
const texts = { ...inappTexts, ...own };

/** How often the trace is read while it is looked at. */
const AGAIN_MS = 1_500;
/** Follows one test send: each step with its time, and what holds it back. */
export function Trace({ message, delivery }: { message: string; delivery: string }) {
  const t = useTexts(texts);
  const read = useRead<Traced>(`${pathOf(message)}/test-sends/${delivery}`, {}, { everyMs: AGAIN_MS });
  return (
    <section className={css.trace} aria-label={t("trace")}>
      <Answer of={read} loading={<Loading rows={3} />}>
        {(traced) => (
          <>
            <Steps of={traced} />
            <div className={css.said} role="status">
              <Held of={traced} />
            </div>
            <Ways of={traced} onDone={() => void read.refetch()} />
          </>
        )}
      </Answer>
    </section>
  );
}

function Steps({ of }: { of: Traced }) {
  const t = useTexts(texts);
  const format = useFormat();
  const steps = [
    ["queued", of.queued_at],
    ["fetched", of.fetched_at],
    ["shown", of.shown_at],
    ...(of.dismissed_at ? [] : [["clicked", of.clicked_at] as const]),
    ...(of.dismissed_at ? [["dismissed", of.dismissed_at] as const] : []),
  ] as const;
  return (
    <ol className={css.steps}>
      {steps.map(([step, at]) => (
        <li key={step} className={css.step} data-done={at !== null}>
          <span className={css.mark}>{at && <Icon name="check" size={12} />}</span>
          <span>{t(step)}</span>
          {at ? (
            <time className="quiet numbers" dateTime={at} title={format.instant(at)}>
              {format.time(at)}
            </time>
          ) : (
            <span className="quiet">{t("waiting")}</span>
          )}
        </li>
      ))}
    </ol>
  );
}

/** What holds it back now and until when; or that nothing does. */
function Held({ of }: { of: Traced }) {
  const t = useTexts(texts);
  const format = useFormat();
  const { held_by: gates, next_eligible_at: next, last_sync: sync, person_id: person, shown_at: shown } = of;
  return (
    <>
      {gates.length > 0 && !shown && (
        <>
          <strong>{t("held")}</strong>
          <ul className={css.gates}>
            {gates.map((one) => (
              <li key={one.gate}>
                <strong>{t(`gate_${one.gate}`)}</strong>: <GateDetail of={one} />
              </li>
            ))}
          </ul>
          {next && <p>{t("next", { time: format.instant(next), ago: format.ago(next) })}</p>}
        </>
      )}
      {gates.length === 0 && !shown && <p>{t("waits", { person: person ?? "" })}</p>}
      <p className="quiet">
        {sync
          ? t("lastSync", { time: format.time(sync.at), screen: sync.screen ? `“${sync.screen}”` : t("noScreen") })
          : t("noSync")}
      </p>
    </>
  );
}

const OVER = ["dismissed", "expired", "canceled", "failed"];

function Ways({ of, onDone }: { of: Traced; onDone: () => void }) {
  const t = useTexts(texts);
  const { id: workspace, call } = useWorkspace();
  const { delivery_id: delivery, person_id: person, last_sync: sync, status } = of;
  const takeBack = async () => {
    try {
      await call("POST", `/deliveries/${delivery}/recall`);
      tell(t("takenBack"));
      onDone();
    } catch (error) {
      tellFault(error as Error);
    }
  };
  return (
    <div className={css.ways}>
      {person && (
        <Link
          to="/w/$workspace/explain"
          params={{ workspace }}
          search={{ person, delivery, ...(sync?.screen && { screen: sync.screen }) }}
        >
          {t("explain")}
        </Link>
      )}
      <Link to="/w/$workspace/deliveries" params={{ workspace }} search={{ open: delivery }}>
        {t("delivery")}
      </Link>
      {!OVER.includes(status) && (
        <Button variant="subtle" color="gray" size="compact-sm" onClick={() => void takeBack()}>
          {t("takeBack")}
        </Button>
      )}
    </div>
  );
}
