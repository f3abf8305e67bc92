import { UnstyledButton } from "@mantine/core";
import { useTexts } from "../../platform/language/texts.ts";
import css from "./builder.module.css";
import { Group } from "./group.tsx";
import { Condition } from "./kinds/condition.tsx";
import { kindOf } from "./model/conditions.ts";
import { negated, type Path, partAt, pointerOf, viewOf } from "./model/tree.ts";
import { PartMenu } from "./part-menu.tsx";
import { useBuilding } from "./state.ts";
import { texts } from "./texts.ts";

interface PartProps {
  path: Path;
  /** Where it stands among its group's parts. */
  place?: { i: number; n: number };
  depth: number;
}

/** A part of the filter: a condition, a group, or the opposite of another part. */
export function FilterPart({ path, place, depth }: PartProps) {
  const t = useTexts(texts);
  const { root, change } = useBuilding();
  const view = viewOf(partAt(root, path), path);
  const at = (what: string) => (place ? t("position", { what, i: place.i + 1, n: place.n }) : what);
  if (view.kind === "group") return <Group path={path} view={view} name={at(t("group"))} depth={depth} />;
  if (view.kind === "not")
    return (
      <fieldset className={css.group} data-depth={depth} data-part={pointerOf(path)}>
        <legend className="visually-hidden">{at(t("notBox"))}</legend>
        <div className={css.head}>
          <span className={css.rule}>{t("notBox")}</span>
          <PartMenu path={path} name={at(t("notBox"))} />
        </div>
        <FilterPart path={view.inner} depth={depth + 1} />
      </fieldset>
    );
  const kind = kindOf(view.condition);
  const name = at(kind ? t(kind) : t("json"));
  return (
    <fieldset className={css.condition} data-part={pointerOf(path)}>
      <legend className="visually-hidden">{name}</legend>
      <div className={css.head}>
        <span className={css.kind}>
          {kind ? t(kind) : t("asJson")}
          {view.negated && (
            <UnstyledButton
              className={css.not ?? ""}
              aria-pressed
              title={t("notHint")}
              onClick={() => change(negated(root, path), { at: path, menu: true })}
            >
              {t("not")}
            </UnstyledButton>
          )}
        </span>
        <PartMenu path={path} name={name} />
      </div>
      <Condition condition={view.condition} at={view.at} />
    </fieldset>
  );
}
