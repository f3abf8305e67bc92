import { Ask } from "../../platform/ask.tsx";
import type { Read } from "../../platform/call/call.ts";
import { queries } from "../../platform/call/queries.ts";
import { useWorkspace } from "../../platform/call/workspace.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { Note } from "../../platform/look/parts.tsx";
import { tell } from "../../platform/states/toasts.tsx";
import { useLeave } from "../../platform/use-leave.ts";
import type { Transactional } from "../form/values.ts";
import { texts } from "../texts.ts";
import { useWeek } from "../use-week.ts";

/** Asks before a transactional is removed, and says whether anything still calls it. */
export function Removal({ version, onClose }: { version: Read<Transactional>; onClose: () => void }) {
  const t = useTexts(texts);
  const open = useWorkspace();
  const leave = useLeave();
  const { id, name } = version.body;
  const week = useWeek(id);
  const { sent = 0, failed = 0 } = week ?? {};
  const calls = sent + failed;
  return (
    <Ask
      title={t("removeTitle", { name })}
      yes={t("remove")}
      bad
      onClose={onClose}
      onYes={async () => {
        const { etag } = version;
        await open.call("DELETE", `/transactionals/${id}`, { headers: etag ? { "if-match": etag } : {} });
        tell(t("removed"));
        await leave({ to: "/w/$workspace/transactionals", params: { workspace: open.id } });
        void queries.invalidateQueries({ queryKey: [open.id, "/transactionals"] });
      }}
    >
      <p>{t("removeSure")}</p>
      {week !== undefined && (
        <Note tone={calls > 0 ? "warn" : "plain"}>
          {calls > 0 ? t("removeUsed", { count: calls }) : t("removeUnused")}
        </Note>
      )}
    </Ask>
  );
}
