import { Ask } from "../../platform/ask.tsx";
import type { Read } from "../../platform/call/call.ts";
import { queries } from "../../platform/call/queries.ts";
import { useWorkspace } from "../../platform/call/workspace.ts";
import { type Say, useTexts } from "../../platform/language/texts.ts";
import { tell } from "../../platform/states/toasts.tsx";
import { useLeave } from "../../platform/use-leave.ts";
import { type Broadcast, isDraft, isRunning, pathOf } from "../broadcast.ts";
import { texts } from "./texts.ts";
import { useMove } from "./use-move.ts";

export type Move = "pause" | "resume" | "cancel" | "recall" | "remove";

interface AskMoveProps {
  move: Move;
  version: Read<Broadcast>;
  onClose: () => void;
}

/** Says what follows, and does it. */
export function AskMove({ move, version, onClose }: AskMoveProps) {
  const t = useTexts(texts);
  const run = useRun(version);
  return (
    <Ask
      title={t(`${move}Title`, { name: version.body.name })}
      yes={t(move === "cancel" ? "cancelYes" : move)}
      no={move === "cancel" ? t("cancelNo") : undefined}
      bad={move === "cancel" || move === "recall" || move === "remove"}
      onYes={() => run(move)}
      onClose={onClose}
    >
      {sentences(move, version.body, t).map((text) => (
        <p key={text}>{text}</p>
      ))}
    </Ask>
  );
}

function sentences(move: Move, { status, progress }: Broadcast, t: Say<typeof texts>): string[] {
  const { total, done } = progress;
  const left = total === null ? 0 : total - done;
  const leftOver = left > 0 ? [t("leftOver", { count: left })] : [];
  if (move === "recall") return [t("recallSure"), ...(isRunning(status) ? [t("recallSureRunning")] : [])];
  if (move === "remove") return [t(isDraft(status) ? "removeSureDraft" : "removeSure")];
  if (move === "cancel" && status === "scheduled") return [t("cancelSureScheduled")];
  return [...leftOver, t(`${move}Sure`)];
}

function useRun(version: Read<Broadcast>): (move: Move) => Promise<void> {
  const t = useTexts(texts);
  const { id: workspace, call } = useWorkspace();
  const leave = useLeave();
  const moved = useMove(version);
  const { body, etag } = version;
  const path = pathOf(body.id);
  const headers = etag ? { "if-match": etag } : {};
  const remove = async () => {
    await call("DELETE", path, { headers });
    await leave({ to: "/w/$workspace/broadcasts", params: { workspace } });
    queries.removeQueries({ queryKey: [workspace, path] });
    void queries.invalidateQueries({ queryKey: [workspace, "/broadcasts"] });
    tell(t("removed"));
  };
  /** One call takes back so many at most. */
  const recall = async () => {
    for (let count = 0; ; ) {
      const { recalled, more } = (await call<{ recalled: number; more: boolean }>("POST", `${path}/recall`)).body;
      count += recalled;
      if (more) continue;
      void queries.invalidateQueries({ queryKey: [workspace, path] });
      return tell(t("recallDone", { count }));
    }
  };
  return async (move) => {
    if (move === "remove") return remove();
    if (move === "recall") return recall();
    await moved(move);
    tell(t(`${move}Done`));
  };
}
