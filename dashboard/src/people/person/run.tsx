import type { RunWithHistory } from "@tidings/contract/campaigns/runs";
import { Link } from "@tanstack/react-router";
import type { Static } from "typebox";
import { useRead } from "../../platform/call/queries.ts";
import { useWorkspace } from "../../platform/call/workspace.ts";
import { useFormat } from "../../platform/language/format.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { Note } from "../../platform/look/parts.tsx";
import { Copy } from "../../platform/states/copy.tsx";
import { Answer, Loading } from "../../platform/states/states.tsx";
import css from "../people.module.css";
import { runTexts } from "../run-texts.ts";
import { RunActions } from "./run-actions.tsx";
import type { PersonRun } from "./runs.tsx";

type Read = Static<typeof RunWithHistory>;
const AGAIN_MS = 10_000;

/** The history of a run, step by step, and what one can do with it. */
export function Run({ run, path }: { run: PersonRun; path: string }) {
  const t = useTexts(runTexts);
  const address = `/campaigns/${run.campaign_id}/runs/${run.id}`;
  const read = useRead<Read>(address, {}, { everyMs: AGAIN_MS });
  const reason = run.reason;
  return (
    <div className={css.runBody}>
      {reason && (
        <Note tone={run.status === "failed" ? "bad" : "plain"}>
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
      {Object.keys(run.data).length > 0 && (
        <p className={`${css.runData} quiet`}>
          {t("data")} <span className="mono">{JSON.stringify(run.data)}</span>
        </p>
      )}
      <p className={`${css.runData} quiet`}>
        <code>{run.id}</code> <Copy value={run.id} what={t("run")} />
      </p>
      <RunActions run={run} path={path} address={address} />
    </div>
  );
}

function Step({ passage }: { passage: Read["history"][number] }) {
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
    </li>
  );
}
