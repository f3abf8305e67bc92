import type { Run } from "@tidings/contract/campaigns/campaigns";
import type { Passage, RunWithHistory } from "@tidings/contract/campaigns/runs";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Static } from "typebox";
import { useRead } from "../../platform/call/queries.ts";
import { useWorkspace } from "../../platform/call/workspace.ts";
import { useFormat } from "../../platform/language/format.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { Note } from "../../platform/look/parts.tsx";
import { Copy } from "../../platform/states/copy.tsx";
import { Answer, Loading } from "../../platform/states/states.tsx";
import { PassageDetail } from "./passage-detail.tsx";
import { runTexts } from "./run-texts.ts";
import css from "./runs.module.css";

type Read = Static<typeof RunWithHistory>;
const AGAIN_MS = 5_000;

export const runPath = ({ id, campaign_id: campaign }: Pick<Run, "id" | "campaign_id">): string =>
  `/campaigns/${campaign}/runs/${id}`;

/** The history of a run, step by step. Below it is what one can do with the run. */
export function RunHistory({ run, children }: { run: Run; children?: ReactNode }) {
  const t = useTexts(runTexts);
  const format = useFormat();
  const read = useRead<Read>(runPath(run), {}, { everyMs: AGAIN_MS });
  const { reason, due_at: due, status } = read.data ?? run;
  return (
    <>
      {reason && (
        <Note tone={status === "failed" ? "bad" : "plain"}>
          {`reason_${reason}` in runTexts ? t(`reason_${reason}` as keyof typeof runTexts) : reason}
        </Note>
      )}
      <Answer of={read} loading={<Loading rows={3} />}>
        {({ history }) => (
          <>
            {history.length === 0 && <p className="quiet">{t("noHistory")}</p>}
            <ol className={css.history}>
              {history.map((passage) => (
                <Step key={passage.step_id} passage={passage} />
              ))}
            </ol>
          </>
        )}
      </Answer>
      {status === "active" && due && (
        <p className={`${css.runData} quiet`}>{t("goesOn", { time: format.instant(due), ago: format.ago(due) })}</p>
      )}
      {Object.keys(run.data).length > 0 && (
        <p className={`${css.runData} quiet`}>
          {t("data")} <span className="mono">{JSON.stringify(run.data)}</span>
        </p>
      )}
      {run.cancellation_key && (
        <p className={`${css.runData} quiet`}>
          {t("key")} <code>{run.cancellation_key}</code>
        </p>
      )}
      <p className={`${css.runData} quiet`}>
        <code>{run.id}</code> <Copy value={run.id} what={t("run")} />
      </p>
      {children}
    </>
  );
}

function Step({ passage }: { passage: Passage }) {
  const t = useTexts(runTexts);
  const format = useFormat();
  const { id: workspace } = useWorkspace();
  const { step_id: step, state, way, reason, entered_at: entered, left_at: left, delivery_id: delivery } = passage;
  return (
    <li className={css.step} data-state={state}>
      <span>
        <span className={css.stepName}>{step}</span> <span className="quiet">{t(`state_${state}`)}</span>
        {way && <span className="quiet"> → {way}</span>}
        {reason && <span className="quiet"> · {reason.replaceAll("_", " ")}</span>}
        {delivery && (
          <>
            {" · "}
            <Link to="/w/$workspace/deliveries" params={{ workspace }} search={{ open: delivery }}>
              {t("message")}
            </Link>
          </>
        )}
      </span>
      <time className="quiet numbers" dateTime={left ?? entered} title={format.instant(left ?? entered)}>
        {format.ago(left ?? entered)}
      </time>
      {passage.detail && <PassageDetail of={passage.detail} />}
    </li>
  );
}
