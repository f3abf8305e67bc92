import { Button } from "@mantine/core";
import { useState } from "react";
import { Ask } from "../../platform/ask.tsx";
import { queries } from "../../platform/call/queries.ts";
import { mayEdit, useWorkspace } from "../../platform/call/workspace.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { texts as stateTexts } from "../../platform/states/texts.ts";
import { tell } from "../../platform/states/toasts.tsx";
import type { Campaign } from "../campaign-shape.ts";
import { texts } from "../texts.ts";

/** Holds a campaign, or lets it go on. */
export function Moves({ campaign: { id, name, status } }: { campaign: Campaign }) {
  const t = useTexts(texts);
  const say = useTexts(stateTexts);
  const open = useWorkspace();
  const [asked, setAsked] = useState(false);
  if (status !== "active" && status !== "paused") return null;
  const move = status === "active" ? "pause" : "resume";
  return (
    <>
      <Button
        variant="default"
        disabled={!mayEdit(open)}
        title={mayEdit(open) ? undefined : say("onlyRead")}
        onClick={() => setAsked(true)}
      >
        {t(move)}
      </Button>
      {asked && (
        <Ask
          title={`${t(move)}: ${name}`}
          yes={t(move)}
          onYes={async () => {
            await open.call("POST", `/campaigns/${id}/${move}`, { body: {} });
            tell(t(`${move}Done`));
            void queries.invalidateQueries({ queryKey: [open.id, `/campaigns/${id}`] });
          }}
          onClose={() => setAsked(false)}
        >
          {t(`${move}Sure`)}
        </Ask>
      )}
    </>
  );
}
