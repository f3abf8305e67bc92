import { Link } from "@tanstack/react-router";
import { useRead } from "../../platform/call/queries.ts";
import { useWorkspace } from "../../platform/call/workspace.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { Note } from "../../platform/look/parts.tsx";
import { texts } from "./texts.ts";

/** Whether the workspace allows in-app; undefined until that is read. */
export const useAllowed = (): boolean | undefined =>
  useRead<{ allow_in_app: boolean }>("/workspace").data?.allow_in_app;

/** Says that in-app is switched off, and where that is changed. */
export function OffNote() {
  const t = useTexts(texts);
  const { id: workspace } = useWorkspace();
  if (useAllowed() !== false) return null;
  return (
    <Note tone="warn">
      {t("off")}{" "}
      <Link to="/w/$workspace/channels" params={{ workspace }}>
        {t("offLink")}
      </Link>
    </Note>
  );
}
