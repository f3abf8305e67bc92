import { ActionIcon, Menu } from "@mantine/core";
import { useTexts } from "../../platform/language/texts.ts";
import { Icon } from "../../platform/look/icons.tsx";
import {
  canDissolve,
  canMove,
  dissolved,
  inserted,
  type Move,
  moved,
  moves,
  negated,
  type Path,
  partAt,
  removed,
  viewOf,
  wrapped,
} from "./model/tree.ts";
import { useBuilding } from "./state.ts";
import { texts } from "./texts.ts";

/** What can be done with a part of the filter as a whole. */
export function PartMenu({ path, name }: { path: Path; name: string }) {
  const t = useTexts(texts);
  const { root, change } = useBuilding();
  const isCondition = viewOf(partAt(root, path), path).kind === "condition";
  const i = path.at(-1);
  const move = (how: Move) => {
    const next = moved(root, path, how);
    change(next.root, { at: next.path, menu: true });
  };
  const duplicate = () => {
    const list = path.slice(0, -1);
    change(inserted(root, list, (i as number) + 1, partAt(root, path)), { at: [...list, (i as number) + 1] });
  };
  const remove = () => {
    const next = removed(root, path);
    // The part that takes its place, or else the group around it.
    const group = viewOf(next, []).kind === "group" ? path.slice(0, -2) : [];
    change(next, { at: group, menu: true });
  };
  return (
    <span className="numbers">
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size={28} aria-label={t("actions", { what: name })} data-menu>
            <Icon name="more" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {moves
            .filter((how) => canMove(root, path, how))
            .map((how) => (
              <Menu.Item key={how} onClick={() => move(how)}>
                {t(`move_${how}`)}
              </Menu.Item>
            ))}
          {isCondition && (
            <Menu.Item onClick={() => change(negated(root, path), { at: path, menu: true })}>{t("turn")}</Menu.Item>
          )}
          <Menu.Item onClick={() => change(wrapped(root, path), { at: path, menu: true })}>{t("wrap")}</Menu.Item>
          {canDissolve(root, path) && (
            <Menu.Item onClick={() => change(dissolved(root, path), { at: path, menu: true })}>
              {t("dissolve")}
            </Menu.Item>
          )}
          {typeof i === "number" && <Menu.Item onClick={duplicate}>{t("duplicate")}</Menu.Item>}
          <Menu.Divider />
          <Menu.Item color="red" onClick={remove}>
            {t("remove")}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </span>
  );
}
