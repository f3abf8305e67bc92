import { Link } from "@tanstack/react-router";
import { useWorkspace } from "../../platform/call/workspace.ts";
import { useTexts } from "../../platform/language/texts.ts";
import css from "../templates.module.css";
import { texts } from "../texts.ts";

const tabs = [
  ["templates", "/w/$workspace/email-templates"],
  ["layouts", "/w/$workspace/email-layouts"],
  ["snippets", "/w/$workspace/snippets"],
] as const;

/** The three lists of the room. */
export function RoomTabs() {
  const t = useTexts(texts);
  const { id: workspace } = useWorkspace();
  return (
    <nav className={css.tabs} aria-label={t("room")}>
      {tabs.map(([text, to]) => (
        <Link
          key={to}
          to={to}
          params={{ workspace }}
          className={css.tab ?? ""}
          activeOptions={{ includeSearch: false }}
        >
          {t(text)}
        </Link>
      ))}
    </nav>
  );
}
