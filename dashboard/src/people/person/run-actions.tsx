import { Button, Tooltip } from "@mantine/core";
import { useState } from "react";
import { Ask } from "../../platform/ask.tsx";
import { queries } from "../../platform/call/queries.ts";
import { mayEdit, useWorkspace } from "../../platform/call/workspace.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { texts as states } from "../../platform/states/texts.ts";
import { tell } from "../../platform/states/toasts.tsx";
import css from "../people.module.css";
import { runTexts } from "../run-texts.ts";
import type { PersonRun } from "./runs.tsx";

type Action = "skip" | "retry" | "end";

/** What the service accepts for a run in its state; it decides again on the call. */
const possible = ({ status }: PersonRun): readonly Action[] => {
  if (status === "active") return ["skip", "end"];
  return status === "failed" ? ["retry"] : [];
};

/** Ends, skips or repeats, each after it has said what follows. */
export function RunActions({ run, path, address }: { run: PersonRun; path: string; address: string }) {
  const t = useTexts(runTexts);
  const say = useTexts(states);
  const open = useWorkspace();
  const [asked, setAsked] = useState<Action>();
  const allowed = mayEdit(open);
  const actions = possible(run);
  if (actions.length === 0) return null;
  const act = async (action: Action) => {
    await open.call("POST", `${address}/${action}`);
    tell(t(`${action}_done`));
    await Promise.all(
      [address, `${path}/runs`, `${path}/timeline`].map((one) =>
        queries.invalidateQueries({ queryKey: [open.id, one] }),
      ),
    );
  };
  return (
    <div className={css.runActions}>
      {actions.map((action) => (
        <Tooltip key={action} label={say("onlyRead")} disabled={allowed}>
          <Button variant="default" size="xs" disabled={!allowed} onClick={() => setAsked(action)}>
            {t(action)}
          </Button>
        </Tooltip>
      ))}
      {asked && (
        <Ask
          title={t(asked)}
          yes={t(asked)}
          bad={asked === "end"}
          onYes={() => act(asked)}
          onClose={() => setAsked(undefined)}
        >
          {t(`${asked}_sure`, { campaign: run.campaign_name, step: run.step_id ?? "" })}
        </Ask>
      )}
    </div>
  );
}
