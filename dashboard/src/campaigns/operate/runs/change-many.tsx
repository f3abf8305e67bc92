import { Button, NativeSelect, Tooltip } from "@mantine/core";
import { stepsIn } from "@tidings/contract/campaigns/journey";
import { useState } from "react";
import { Ask } from "../../../platform/ask.tsx";
import { queries, useRead } from "../../../platform/call/queries.ts";
import { mayEdit, useWorkspace } from "../../../platform/call/workspace.ts";
import { useTexts } from "../../../platform/language/texts.ts";
import { texts as stateTexts } from "../../../platform/states/texts.ts";
import { tell } from "../../../platform/states/toasts.tsx";
import type { Campaign } from "../../campaign-shape.ts";
import { METRICS_MS, type Metrics } from "../numbers/numbers.tsx";
import type { RunFilters } from "../search.ts";
import { useStepNames } from "../steps.ts";
import { countOf, type ManyKind, offeredFor } from "./many.ts";
import { texts } from "./texts.ts";

/** Changes all runs that are listed, after it has said how many they are. */
export function ChangeMany({ campaign, filters }: { campaign: Campaign; filters: RunFilters }) {
  const t = useTexts(texts);
  const say = useTexts(stateTexts);
  const open = useWorkspace();
  const [asked, setAsked] = useState<ManyKind>();
  const offered = offeredFor(filters);
  const metrics = useRead<Metrics>(
    `/campaigns/${campaign.id}/metrics`,
    {},
    { enabled: offered.length > 0, everyMs: METRICS_MS },
  );
  const count = metrics.data ? countOf(filters, metrics.data) : 0;
  if (count === 0) return null;
  const may = mayEdit(open);
  return (
    <>
      {offered.map((kind) => (
        <Tooltip key={kind} label={say("onlyRead")} disabled={may}>
          <Button variant="default" size="xs" disabled={!may} onClick={() => setAsked(kind)}>
            {t(`many_${kind}`, { count })}
          </Button>
        </Tooltip>
      ))}
      {asked && (
        <Sure campaign={campaign} filters={filters} kind={asked} count={count} onClose={() => setAsked(undefined)} />
      )}
    </>
  );
}

interface SureProps {
  campaign: Campaign;
  filters: RunFilters;
  kind: ManyKind;
  count: number;
  onClose: () => void;
}

function Sure({ campaign, filters: { step, status }, kind, count, onClose }: SureProps) {
  const t = useTexts(texts);
  const open = useWorkspace();
  const nameOf = useStepNames(campaign.steps);
  const [target, setTarget] = useState("");
  const [progress, setProgress] = useState<{ done: number; left: number }>();
  const title = t(`many_${kind}`, { count });
  const path = `/campaigns/${campaign.id}`;
  /** A call changes 10,000 runs at most. */
  const change = async () => {
    const body = {
      filter: { ...(step && { step }), ...(status && { status }) },
      ...(kind === "move" && { step_id: target }),
    };
    let done = 0;
    for (let left = 1; left > 0; ) {
      const answer = await open.call<{ changed: number; remaining: number }>("POST", `${path}/runs/${kind}`, { body });
      done += answer.body.changed;
      // Runs that can't be changed remain for ever.
      left = answer.body.changed === 0 ? 0 : answer.body.remaining;
      setProgress({ done, left });
    }
    tell(t("changed", { count: done }));
    void queries.invalidateQueries({
      predicate: ({ queryKey: [workspace, read] }) => workspace === open.id && String(read).startsWith(`${path}/`),
    });
  };
  return (
    <Ask
      title={title}
      yes={title.replace(" …", "")}
      bad={kind === "end"}
      ready={kind !== "move" || target !== ""}
      onYes={change}
      onClose={onClose}
    >
      <p>{t(`sure_${kind}`, { count, step: step ?? "" })}</p>
      {kind === "move" && (
        <NativeSelect
          label={t("moveTo")}
          value={target}
          onChange={({ currentTarget }) => setTarget(currentTarget.value)}
          data={[
            { value: "", label: "" },
            ...stepsIn(campaign.steps)
              .filter(({ id }) => id !== step)
              .map(({ id }) => ({ value: id, label: nameOf(id) })),
          ]}
        />
      )}
      {progress && progress.left > 0 && (
        <p role="status">{t("sofar", { done: progress.done, count: progress.left })}</p>
      )}
    </Ask>
  );
}
