import { NativeSelect } from "@mantine/core";
import { useTexts } from "../../platform/language/texts.ts";
import { AddMenu } from "./add-menu.tsx";
import css from "./builder.module.css";
import { firstWithin, inserted, type Mode, modes, type Path, pointerOf, type View, withMode } from "./model/tree.ts";
import { FilterPart } from "./part.tsx";
import { PartMenu } from "./part-menu.tsx";
import { useBuilding } from "./state.ts";
import { texts } from "./texts.ts";

interface GroupProps {
  path: Path;
  view: Extract<View, { kind: "group" }>;
  name: string;
  depth: number;
}

/** A group of parts, and how many of them must hold. */
export function Group({ path, view, name, depth }: GroupProps) {
  const t = useTexts(texts);
  const { root, change, errorOf } = useBuilding();
  const { mode, parts, list } = view;
  const n = parts.length;
  const error = errorOf(pointerOf(list)) ?? errorOf(pointerOf(path));
  return (
    <fieldset className={css.group} data-depth={depth} data-part={pointerOf(path)}>
      <legend className="visually-hidden">{name}</legend>
      <div className={css.head}>
        <NativeSelect
          className={css.rule ?? ""}
          aria-label={t("groupRule")}
          value={mode}
          onChange={(event) => change(withMode(root, path, event.currentTarget.value as Mode))}
          data={modes.map((one) => ({ value: one, label: t(`mode_${one}`) }))}
        />
        {(path.length > 0 || n > 0) && <PartMenu path={path} name={name} />}
      </div>
      {n === 0 && <p className={css.hint}>{t(list.at(-1) === "all" ? "empty" : "emptyAny")}</p>}
      {n > 0 && (
        <ol className={css.parts}>
          {parts.map((_, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a part has no id; the focus follows it by its path
            <li key={i}>
              <FilterPart path={[...list, i]} place={{ i, n }} depth={depth + 1} />
            </li>
          ))}
        </ol>
      )}
      {error && (
        <p className={css.error} role="alert">
          {error}
        </p>
      )}
      <AddMenu
        nested={mode === "any" || mode === "none" ? "all" : "any"}
        onAdd={(part) => change(inserted(root, list, n, part), { at: firstWithin(part, [...list, n]) })}
      />
    </fieldset>
  );
}
