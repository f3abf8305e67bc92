import { ActionIcon, Button, Menu, Tooltip } from "@mantine/core";
import { Fragment } from "react";
import { useTexts } from "../../platform/language/texts.ts";
import { Icon } from "../../platform/look/icons.tsx";
import type { Acts } from "./acts.ts";
import css from "./blocks.module.css";
import { fresh } from "./fresh.ts";
import type { Block, Email } from "./list/block.ts";
import { added } from "./list/moves.ts";
import { freshTexts, texts } from "./texts.ts";
import type { History } from "./use-history.ts";

interface ToolbarProps {
  email: Email;
  chosen: Block | undefined;
  history: History;
  acts: Acts;
}

/** Above the blocks: what can be added, the style of the whole, and steps back. */
export function Toolbar({ email, chosen, history, acts }: ToolbarProps) {
  const t = useTexts(texts);
  return (
    <div className={css.toolbar}>
      <AddMenu email={email} chosen={chosen} acts={acts} />
      {email.body && (
        <Button variant="default" size="xs" onClick={() => acts.choose("")} aria-pressed={!chosen}>
          {t("whole")}
        </Button>
      )}
      <span className={css.steps}>
        {(["undo", "redo"] as const).map((step) => (
          <Tooltip label={t(step)} key={step}>
            <ActionIcon
              variant="default"
              size={30}
              aria-label={t(step)}
              disabled={!history[step]}
              onClick={() => history[step]?.()}
            >
              <Icon name={step} />
            </ActionIcon>
          </Tooltip>
        ))}
      </span>
    </div>
  );
}

/** What can be added behind the chosen block, or in it. */
function AddMenu({ email, chosen, acts }: Omit<ToolbarProps, "history">) {
  const t = useTexts(texts);
  const say = useTexts(freshTexts);
  const levels = email.holds === "sections" ? (["content", "sections"] as const) : (["content"] as const);
  return (
    <Menu position="bottom-start" withinPortal>
      <Menu.Target>
        <Button size="xs" leftSection={<Icon name="plus" size={14} />}>
          {t("add")}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {levels.map((level) => (
          <Fragment key={level}>
            <Menu.Label>{say(level)}</Menu.Label>
            {fresh
              .filter((one) => one.level === level)
              .map((one) => (
                <Menu.Item
                  key={one.name}
                  leftSection={<Icon name={one.icon} />}
                  onClick={() => acts.take(added(email, chosen, level, one.text(say)))}
                >
                  {say(one.name)}
                </Menu.Item>
              ))}
          </Fragment>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
