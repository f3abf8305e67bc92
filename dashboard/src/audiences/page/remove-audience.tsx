import { Button } from "@mantine/core";
import { useState } from "react";
import { Ask } from "../../platform/ask.tsx";
import type { Read } from "../../platform/call/call.ts";
import { queries } from "../../platform/call/queries.ts";
import { mayEdit, useWorkspace } from "../../platform/call/workspace.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { texts as stateTexts } from "../../platform/states/texts.ts";
import { tell } from "../../platform/states/toasts.tsx";
import { useLeave } from "../../platform/use-leave.ts";
import type { Audience } from "../audience.ts";
import { texts } from "./texts.ts";
import { UsedBy } from "./used-by.tsx";

/** Removes an audience; says first what still uses it, and then does not offer it. */
export function RemoveAudience({ version }: { version: Read<Audience> }) {
  const t = useTexts(texts);
  const say = useTexts(stateTexts);
  const open = useWorkspace();
  const leave = useLeave();
  const [asking, setAsking] = useState(false);
  const { id, name, kind, used_by: users } = version.body;
  const isUsed = users.length > 0;
  const remove = async () => {
    const { etag } = version;
    await open.call("DELETE", `/audiences/${id}`, { headers: etag ? { "if-match": etag } : {} });
    tell(t("removed"));
    await leave({ to: "/w/$workspace/audiences", params: { workspace: open.id } });
    queries.removeQueries({ queryKey: [open.id, `/audiences/${id}`] });
    void queries.invalidateQueries({ queryKey: [open.id, "/audiences"] });
  };
  return (
    <>
      <Button
        variant="default"
        disabled={!mayEdit(open)}
        title={mayEdit(open) ? undefined : say("onlyRead")}
        onClick={() => setAsking(true)}
      >
        {t("remove")} …
      </Button>
      {asking && (
        <Ask
          title={t("removeTitle", { name })}
          yes={t("remove")}
          bad
          ready={!isUsed}
          onYes={remove}
          onClose={() => setAsking(false)}
        >
          <p>{t(isUsed ? "removeUsed" : kind === "list" ? "removeList" : "removeFilter")}</p>
          {isUsed && <UsedBy of={users} />}
        </Ask>
      )}
    </>
  );
}
