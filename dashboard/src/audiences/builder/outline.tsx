import type { ReactNode } from "react";
import { useTexts } from "../../platform/language/texts.ts";
import css from "./builder.module.css";
import { type Part, type Path, partAt, pointerOf, viewOf } from "./model/tree.ts";
import { useClause } from "./summary.tsx";
import { texts } from "./texts.ts";

/** A filter to read, part below part. */
export function FilterOutline({ filter }: { filter: Part }) {
  const clause = useClause(filter);
  return <div className={css.outline}>{outlined(filter, [], clause)}</div>;
}

function outlined(root: Part, path: Path, clause: (part: Part) => string): ReactNode {
  const part = partAt(root, path);
  const view = viewOf(part, path);
  if (view.kind === "condition") return <span key={pointerOf(path)}>{clause(part)}</span>;
  if (view.kind === "not") return <Opposite key={pointerOf(path)}>{outlined(root, view.inner, clause)}</Opposite>;
  return (
    <Grouped key={pointerOf(path)} rule={`mode_${view.mode}`}>
      {view.parts.map((_, i) => (
        <li key={pointerOf([...view.list, i])}>{outlined(root, [...view.list, i], clause)}</li>
      ))}
    </Grouped>
  );
}

function Grouped({ rule, children }: { rule: keyof typeof texts; children: ReactNode[] }) {
  const t = useTexts(texts);
  return (
    <>
      <span className="quiet">{children.length > 0 ? t(rule) : t("empty")}</span>
      {children.length > 0 && <ul className={css.inner}>{children}</ul>}
    </>
  );
}

function Opposite({ children }: { children: ReactNode }) {
  const t = useTexts(texts);
  return (
    <>
      <span className="quiet">{t("notBox")}</span>
      <div className={css.inner}>{children}</div>
    </>
  );
}
