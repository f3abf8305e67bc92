import { useMutation } from "@tanstack/react-query";
import type { Simulation } from "@tidings/contract/campaigns/simulate";
import { useEffect, useRef, useState } from "react";
import type { Static } from "typebox";
import { patient } from "../../platform/call/queries.ts";
import { isBusy } from "../../platform/call/refusal.ts";
import { useWorkspace } from "../../platform/call/workspace.ts";
import { AsCall } from "../../platform/code/as-call.tsx";
import { Busy } from "../../platform/form/parts.tsx";
import { useTexts } from "../../platform/language/texts.ts";
import { Empty, Loading } from "../../platform/states/states.tsx";
import type { TabProps } from "../tabs.tsx";
import { SimulationForm } from "./form/simulation-form.tsx";
import { firstValues, inputOf, type SimulationValues } from "./form/values.ts";
import { Refused } from "./refused.tsx";
import { Result } from "./result/result.tsx";
import css from "./simulate.module.css";
import { texts } from "./texts.ts";
import { unsavedOf } from "./unsaved.ts";

/** A service that is just started on a loaded machine refuses more than the first calls. */
const MOST_REPEATS = 10;
/** What was typed for a campaign, while the page is open: other tabs are looked at in between. */
const typed = new Map<string, SimulationValues>();

/** One person goes through the draft on a virtual clock. */
export function OnePerson({ campaign, draft }: TabProps) {
  const t = useTexts(texts);
  const { call } = useWorkspace();
  const [values, setValues] = useState(() => typed.get(campaign.id) ?? firstValues(draft.values, Date.now()));
  const change = (to: SimulationValues) => {
    typed.set(campaign.id, to);
    setValues(to);
  };
  const unsaved = unsavedOf(draft);
  const body = { ...inputOf(values, draft.values), ...(unsaved && { draft: unsaved }) };
  const path = `/campaigns/${campaign.id}/simulate`;
  const simulated = useMutation({
    mutationFn: async () => (await call<Static<typeof Simulation>>("POST", path, { body })).body,
    // It writes nothing: a busy service is asked again, but a press ends in a result or in an error.
    ...patient,
    retry: (failures, error) => failures < MOST_REPEATS && isBusy(error),
  });
  const shown = useShown(simulated.data ?? simulated.error);
  return (
    <>
      <div className={css.panes}>
        <SimulationForm
          draft={draft.values}
          values={values}
          onChange={change}
          busy={simulated.isPending}
          onRun={() => simulated.mutate()}
        />
        <div ref={shown} className={css.shown} aria-busy={simulated.isPending}>
          <Busy of={simulated} />
          {simulated.error && <Refused error={simulated.error} campaign={campaign} />}
          {simulated.data && !simulated.error && <Result simulation={simulated.data} draft={draft.values} />}
          {!simulated.data &&
            !simulated.error &&
            (simulated.isPending ? (
              <Loading rows={6} />
            ) : (
              <Empty icon="clock" title={t("nothing")}>
                {t("nothingBody")}
              </Empty>
            ))}
        </div>
      </div>
      <AsCall of={{ method: "POST", path: `/api/v1${path}`, node: "campaigns.simulate", ids: [campaign.id], body }} />
    </>
  );
}

/** Brings each new result into view where it begins below the screen, as on a phone: the form is longer than that. */
function useShown(result: unknown) {
  const shown = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = shown.current;
    if (result && element && element.getBoundingClientRect().top > window.innerHeight * 0.8) element.scrollIntoView();
  }, [result]);
  return shown;
}
