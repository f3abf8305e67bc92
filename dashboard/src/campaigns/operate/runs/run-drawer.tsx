import { Link } from "@tanstack/react-router";
import { stepsIn } from "@tidings/contract/campaigns/journey";
import type { RunWithHistory } from "@tidings/contract/campaigns/runs";
import type { Static } from "typebox";
import { RunActions } from "../../../people/runs/run-actions.tsx";
import { RunHistory } from "../../../people/runs/run-history.tsx";
import { RunBadge } from "../../../people/runs/run-state.tsx";
import { runTexts } from "../../../people/runs/run-texts.ts";
import { useRead } from "../../../platform/call/queries.ts";
import { useWorkspace } from "../../../platform/call/workspace.ts";
import { AsCall } from "../../../platform/code/as-call.tsx";
import { useFormat } from "../../../platform/language/format.ts";
import { useTexts } from "../../../platform/language/texts.ts";
import { SideDrawer, SideDrawerHead } from "../../../platform/look/side-drawer.tsx";
import { Answer, Loading } from "../../../platform/states/states.tsx";
import type { Campaign } from "../../campaign-shape.ts";
import { useStepNames } from "../steps.ts";
import { texts } from "./texts.ts";

interface RunDrawerProps {
  campaign: Campaign;
  id: string | undefined;
  onClose: () => void;
}

/** One run with its history, beside the list. */
export function RunDrawer({ campaign, id, onClose }: RunDrawerProps) {
  const t = useTexts(texts);
  return (
    <SideDrawer opened={id !== undefined} label={t("run")} onClose={onClose} size={560}>
      {id && <Opened key={id} campaign={campaign} id={id} onClose={onClose} />}
    </SideDrawer>
  );
}

type Read = Static<typeof RunWithHistory>;

/** The steps that a run has not come to. */
function stepsAhead({ steps }: Campaign, { step_id, history }: Read) {
  const reached = new Set([step_id, ...history.map((passage) => passage.step_id)]);
  return stepsIn(steps).filter(({ id }) => !reached.has(id));
}

function Opened({ campaign, id, onClose }: RunDrawerProps & { id: string }) {
  const t = useTexts(texts);
  const say = useTexts(runTexts);
  const format = useFormat();
  const { id: workspace } = useWorkspace();
  const nameOf = useStepNames(campaign.steps);
  const path = `/campaigns/${campaign.id}`;
  const read = useRead<Read>(`${path}/runs/${encodeURIComponent(id)}`);
  const person = read.data?.person_id;
  return (
    <>
      <SideDrawerHead
        title={person ?? t("run")}
        aside={read.data && <RunBadge status={read.data.status} />}
        onClose={onClose}
      />
      <Answer of={read} loading={<Loading rows={6} />}>
        {(run) => (
          <>
            <p className="quiet">
              {say("entered", { time: format.instant(run.entered_at) })}
              {run.ended_at && ` · ${say("ended", { time: format.instant(run.ended_at) })}`}
              {person && (
                <>
                  {" · "}
                  <Link to="/w/$workspace/people/$person" params={{ workspace, person }} search={{ tab: "runs" }}>
                    {t("openPerson")}
                  </Link>
                </>
              )}
            </p>
            <RunHistory run={run}>
              <RunActions
                run={run}
                campaign={campaign.name}
                steps={stepsAhead(campaign, run).map(({ id }) => ({ value: id, label: nameOf(id) }))}
                shows={[`${path}/runs`, `${path}/metrics`]}
              />
            </RunHistory>
            <AsCall
              of={{
                method: "GET",
                path: `/api/v1${path}/runs/${run.id}`,
                node: "campaigns.run",
                ids: [campaign.id, run.id],
              }}
            />
          </>
        )}
      </Answer>
    </>
  );
}
