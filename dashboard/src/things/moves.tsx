import { Button } from "@mantine/core";
import { useState } from "react";
import { Ask } from "../platform/ask.tsx";
import { queries } from "../platform/call/queries.ts";
import { mayEdit, useWorkspace } from "../platform/call/workspace.ts";
import { useTexts } from "../platform/language/texts.ts";
import { texts as stateTexts } from "../platform/states/texts.ts";
import { tell } from "../platform/states/toasts.tsx";
import type { Thing, ThingKind } from "./kinds.ts";
import { texts } from "./texts.ts";

type Move = "pause" | "resume" | "cancel";
const possible: Partial<Record<ThingKind, Record<string, Move[]>>> = {
  broadcasts: { scheduled: ["cancel"], sending: ["pause", "cancel"], paused: ["resume", "cancel"] },
};

/** Holds what is being sent, lets it go on, or ends it. */
export function Moves({ kind, thing }: { kind: ThingKind; thing: Thing }) {
  const t = useTexts(texts);
  const say = useTexts(stateTexts);
  const open = useWorkspace();
  const [asked, setAsked] = useState<Move>();
  const moves = possible[kind]?.[thing.status ?? ""] ?? [];
  const run = async (move: Move) => {
    await open.call("POST", `/${kind}/${thing.id}/${move}`, { body: {} });
    tell(t(`${move}Done`));
    void queries.invalidateQueries({ queryKey: [open.id, `/${kind}/${thing.id}`] });
  };
  return (
    <>
      {moves.map((move) => (
        <Button
          key={move}
          variant="default"
          disabled={!mayEdit(open)}
          title={mayEdit(open) ? undefined : say("onlyRead")}
          onClick={() => setAsked(move)}
        >
          {t(move)}
        </Button>
      ))}
      {asked && (
        <Ask
          title={`${t(asked)}: ${thing.name}`}
          yes={t(asked)}
          bad={asked === "cancel"}
          onYes={() => run(asked)}
          onClose={() => setAsked(undefined)}
        >
          {t(`${asked}Sure`)}
        </Ask>
      )}
    </>
  );
}
