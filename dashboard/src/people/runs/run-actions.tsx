import type { Run } from "@tidings/contract/campaigns/campaigns";
import { Button, NativeSelect, Tooltip } from "@mantine/core";
import { useState } from "react";
import { Ask } from "../../platform/ask.tsx";
import { queries } from "../../platform/call/queries.ts";
import { mayEdit, useWorkspace } from "../../platform/call/workspace.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { texts as states } from "../../platform/states/texts.ts";
import { tell } from "../../platform/states/toasts.tsx";
import { runPath } from "./run-history.tsx";
import { runTexts } from "./run-texts.ts";
import css from "./runs.module.css";

type Action = "move" | "skip" | "retry" | "end";

interface RunActionsProps {
  run: Run;
  /** The name of its campaign. */
  campaign: string;
  /** The steps that it has not come to: it can be moved there. */
  steps?: readonly { value: string; label: string }[];
  /** Paths whose answers show the run. */
  shows: readonly string[];
}

/** What the service accepts for a run in its state; it decides again on the call. */
const possible = ({ status }: Run, moves: boolean): readonly Action[] => {
  if (status === "active") return moves ? ["move", "skip", "end"] : ["skip", "end"];
  return status === "failed" ? ["retry"] : [];
};

/** Moves, skips, repeats or ends, each after it has said what follows. */
export function RunActions({ run, campaign, steps = [], shows }: RunActionsProps) {
  const t = useTexts(runTexts);
  const say = useTexts(states);
  const open = useWorkspace();
  const [asked, setAsked] = useState<Action>();
  const [target, setTarget] = useState("");
  const allowed = mayEdit(open);
  const actions = possible(run, steps.length > 0);
  if (actions.length === 0) return null;
  const act = async (action: Action) => {
    const address = runPath(run);
    await open.call("POST", `${address}/${action}`, action === "move" ? { body: { step_id: target } } : {});
    tell(t(`${action}_done`));
    await Promise.all([address, ...shows].map((one) => queries.invalidateQueries({ queryKey: [open.id, one] })));
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
          ready={asked !== "move" || target !== ""}
          onYes={() => act(asked)}
          onClose={() => setAsked(undefined)}
        >
          {t(`${asked}_sure`, { campaign, step: run.step_id ?? "" })}
          {asked === "move" && (
            <NativeSelect
              mt="sm"
              label={t("moveTo")}
              value={target}
              onChange={({ currentTarget }) => setTarget(currentTarget.value)}
              data={[{ value: "", label: "" }, ...steps]}
            />
          )}
        </Ask>
      )}
    </div>
  );
}
