import { Button, Menu } from "@mantine/core";
import { useTexts } from "../../platform/language/texts.ts";
import { Icon } from "../../platform/look/icons.tsx";
import css from "./builder.module.css";
import { fresh, kinds } from "./model/conditions.ts";
import type { Part } from "./model/tree.ts";
import { useBuilding } from "./state.ts";
import { texts } from "./texts.ts";

/** Adds a condition of a kind, or a group that begins with one. */
export function AddMenu({ nested, onAdd }: { nested: "all" | "any"; onAdd: (part: Part) => void }) {
  const t = useTexts(texts);
  const { extra } = useBuilding();
  const offered = kinds.filter((kind) => (kind === "trigger" ? extra.trigger : kind === "step" ? extra.steps : true));
  return (
    <Menu position="bottom-start" withinPortal>
      <Menu.Target>
        <Button
          className={css.add ?? ""}
          variant="default"
          size="compact-sm"
          data-add
          leftSection={<Icon name="plus" size={12} />}
        >
          {t("add")}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {offered.map((kind) => (
          <Menu.Item key={kind} onClick={() => onAdd(fresh(kind, extra.steps?.[0]?.id))}>
            {t(kind)}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={() => onAdd({ [nested]: [fresh("attribute")] } as Part)}>{t("addGroup")}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
