import { Button } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import type { BroadcastStatus } from "@tidings/contract/messages/broadcasts";
import { useState } from "react";
import type { Read } from "../../platform/call/call.ts";
import { queries } from "../../platform/call/queries.ts";
import { mayEdit, useWorkspace } from "../../platform/call/workspace.ts";
import { HistoryLink } from "../../platform/history-link.tsx";
import { useTexts } from "../../platform/language/texts.ts";
import { texts as states } from "../../platform/states/texts.ts";
import { tell, tellFault } from "../../platform/states/toasts.tsx";
import type { Broadcast } from "../broadcast.ts";
import { inputOf, valuesOf } from "../draft/values.ts";
import { AskMove, type Move } from "./ask-move.tsx";
import { texts } from "./texts.ts";

/** What is possible in each status, beside sending and copying. */
const possible: Record<BroadcastStatus, readonly Move[]> = {
  draft: ["remove"],
  scheduled: ["cancel"],
  sending: ["pause", "cancel", "recall"],
  paused: ["resume", "cancel", "recall"],
  sent: ["recall", "remove"],
  canceled: ["recall", "remove"],
  failed: ["recall", "remove"],
};

/** What one can do with a broadcast as a whole. Each says what follows before it is done. */
export function Actions({ version }: { version: Read<Broadcast> }) {
  const t = useTexts(texts);
  const say = useTexts(states);
  const off = !mayEdit(useWorkspace());
  const [asked, setAsked] = useState<Move>();
  const { id, name, channel, status, recalled_at: recalled } = version.body;
  const moves = possible[status].filter((move) => move !== "recall" || (channel === "in_app" && recalled === null));
  const title = off ? { title: say("onlyRead") } : {};
  return (
    <>
      <HistoryLink of={id} name={name} />
      {moves.map((move) => (
        <Button key={move} variant="default" disabled={off} {...title} onClick={() => setAsked(move)}>
          {t(move)} …
        </Button>
      ))}
      <Copy of={version.body} off={off} title={title.title} />
      {asked && <AskMove move={asked} version={version} onClose={() => setAsked(undefined)} />}
    </>
  );
}

/** Makes a draft of the same audience, contents and settings. */
function Copy({ of, off, title }: { of: Broadcast; off: boolean; title: string | undefined }) {
  const t = useTexts(texts);
  const { id: workspace, call } = useWorkspace();
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);
  const copy = async () => {
    setBusy(true);
    try {
      const name = t("copyName", { name: of.name }).slice(0, 200);
      const body = inputOf(of.channel, { ...valuesOf(of), name });
      const made = await call<Broadcast>("POST", "/broadcasts", { body });
      void queries.invalidateQueries({ queryKey: [workspace, "/broadcasts"] });
      tell(t("copied"));
      // Where something is unsaved the page asks first, and whoever stays would leave this promise without an end.
      void navigate({ to: "/w/$workspace/broadcasts/$id", params: { workspace, id: made.body.id } });
    } catch (error) {
      tellFault(error as Error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button variant="default" disabled={off} {...(title && { title })} loading={busy} onClick={() => void copy()}>
      {t("copy")}
    </Button>
  );
}
