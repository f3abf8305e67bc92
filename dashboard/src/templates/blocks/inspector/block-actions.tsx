import { ActionIcon, Menu, Tooltip } from "@mantine/core";
import { useTexts } from "../../../platform/language/texts.ts";
import { Icon, type IconName } from "../../../platform/look/icons.tsx";
import type { Acts } from "../acts.ts";
import css from "../blocks.module.css";
import type { Block, Email } from "../list/block.ts";
import { added, moved, repeated, unwrapped, wrapped } from "../list/moves.ts";
import { texts } from "../texts.ts";

interface BlockActionsProps {
  email: Email;
  block: Block;
  acts: Acts;
}

const COLUMN = "<mj-column>\n  <mj-text>…</mj-text>\n</mj-column>";

/** What can be done with the chosen block as a whole. */
export function BlockActions({ email, block, acts }: BlockActionsProps) {
  const t = useTexts(texts);
  const [up, down] = [moved(email, block, -1), moved(email, block, 1)];
  return (
    <div className={css.actions}>
      <Act icon="up" label={t("moveUp")} off={!up} onClick={() => acts.take(up)} />
      <Act icon="down" label={t("moveDown")} off={!down} onClick={() => acts.take(down)} />
      <Act icon="copy" label={t("double")} onClick={() => acts.take(repeated(email, block))} />
      <Act icon="trash" label={t("remove")} onClick={() => acts.remove(block.path)} />
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size={28} aria-label={t("more")}>
            <Icon name="menu" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {block.holds === "columns" && (
            <Menu.Item onClick={() => acts.take(added(email, block, "columns", COLUMN))}>{t("addColumn")}</Menu.Item>
          )}
          <Menu.Item
            onClick={() => acts.take(wrapped(email, block, "{% for item in trigger.items %}", "{% endfor %}"))}
          >
            {t("repeatThis")}
          </Menu.Item>
          <Menu.Item onClick={() => acts.take(wrapped(email, block, "{% if person.subscribed %}", "{% endif %}"))}>
            {t("showIf")}
          </Menu.Item>
          {block.tags && <Menu.Item onClick={() => acts.take(unwrapped(email, block))}>{t("unwrap")}</Menu.Item>}
        </Menu.Dropdown>
      </Menu>
    </div>
  );
}

interface ActProps {
  icon: IconName;
  label: string;
  off?: boolean;
  onClick: () => void;
}

const Act = ({ icon, label, off = false, onClick }: ActProps) => (
  <Tooltip label={label}>
    <ActionIcon variant="subtle" color="gray" size={28} aria-label={label} disabled={off} onClick={onClick}>
      <Icon name={icon} />
    </ActionIcon>
  </Tooltip>
);
