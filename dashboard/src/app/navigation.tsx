import { Link } from "@tanstack/react-router";
import { useWorkspace } from "../platform/call/workspace.ts";
import { useTexts } from "../platform/language/texts.ts";
import { Icon } from "../platform/look/icons.tsx";
import css from "./frame.module.css";
import { roomsFor } from "./rooms.ts";
import { texts } from "./texts.ts";

const groups = [undefined, "author", "observe", "settings"] as const;

export function Navigation() {
  const t = useTexts(texts);
  const { id, role } = useWorkspace();
  return (
    <nav className={css.nav} aria-label={t("navigation")}>
      {groups.map((group) => (
        <div key={group ?? ""}>
          {group && <div className={css.group}>{t(group)}</div>}
          <ul className={css.list}>
            {roomsFor(role)
              .filter((room) => room.group === group)
              .map(({ text, to, icon }) => (
                <li key={to}>
                  <Link
                    to={to}
                    params={{ workspace: id }}
                    className={css.link ?? ""}
                    activeOptions={{ exact: text === "home", includeSearch: false }}
                  >
                    <Icon name={icon} />
                    {t(text)}
                  </Link>
                </li>
              ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}
