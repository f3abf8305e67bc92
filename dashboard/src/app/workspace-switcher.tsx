import { Menu, UnstyledButton } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import type { Session } from "../members/session.ts";
import { useWorkspace } from "../platform/call/workspace.ts";
import { useTexts } from "../platform/language/texts.ts";
import { Icon } from "../platform/look/icons.tsx";
import css from "./frame.module.css";
import { texts } from "./texts.ts";

/** Shows the name of the open workspace. A member of several workspaces opens another one in its menu. */
export function WorkspaceSwitcher({ session }: { session: Session }) {
  const t = useTexts(texts);
  const open = useWorkspace();
  const navigate = useNavigate();
  const name = (
    <>
      <span className={css.initial}>{[...open.name][0]?.toUpperCase()}</span>
      <span className={`${css.switcherName} cut`}>{open.name}</span>
    </>
  );
  if (session.workspaces.length < 2) return <div className={css.switcher}>{name}</div>;
  return (
    <Menu width="target" position="bottom-start">
      <Menu.Target>
        <UnstyledButton className={css.switcher ?? ""} aria-label={`${open.name}: ${t("switchWorkspace")}`}>
          {name}
          <Icon name="updown" size={14} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {session.workspaces.map(({ id, name: other }) => (
          <Menu.Item
            key={id}
            leftSection={<Icon name={id === open.id ? "check" : "right"} size={14} />}
            onClick={() => void navigate({ to: "/w/$workspace", params: { workspace: id } })}
          >
            {other}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
