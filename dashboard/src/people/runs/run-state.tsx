import type { RunStatus } from "@tidings/contract/campaigns/campaigns";
import { useFormat } from "../../platform/language/format.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { Badge, type Tone } from "../../platform/look/parts.tsx";
import { runTexts } from "./run-texts.ts";

const tones: Record<RunStatus, Tone> = {
  active: "good",
  completed: "plain",
  exited: "plain",
  failed: "bad",
  canceled: "warn",
};

/** The status of a run in a word. */
export function RunBadge({ status }: { status: RunStatus }) {
  const t = useTexts(runTexts);
  return <Badge tone={tones[status]}>{t(status)}</Badge>;
}

interface RunPlaceProps {
  run: {
    status: RunStatus;
    step_id: string | null;
    due_at: string | null;
    entered_at: string;
    ended_at: string | null;
  };
}

/** When a run began, and at which step it is or when it ended, in a line. */
export function RunPlace({ run }: RunPlaceProps) {
  const t = useTexts(runTexts);
  const format = useFormat();
  const { status, step_id: step, due_at: due, entered_at: entered, ended_at: ended } = run;
  const now =
    status === "active" && step
      ? due
        ? t("atStepUntil", { step, time: format.ago(due) })
        : t("atStep", { step })
      : ended && t("ended", { time: format.ago(ended) });
  return [t("entered", { time: format.ago(entered) }), now].filter(Boolean).join(" · ");
}
