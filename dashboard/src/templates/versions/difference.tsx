import { useMemo } from "react";
import { useTexts } from "../../platform/language/texts.ts";
import { type DiffRow, diffOf, foldedOf } from "./diff.ts";
import { texts } from "./texts.ts";
import css from "./versions.module.css";

interface DifferenceProps {
  label: string;
  before: string;
  after: string;
}

/** Two texts line by line, side by side; on a phone one below the other. */
export function Difference({ label, before, after }: DifferenceProps) {
  const t = useTexts(texts);
  const rows = useMemo(() => foldedOf(diffOf(before, after)), [before, after]);
  return (
    <section aria-label={label} className={css.diff}>
      {rows.map((row, i) =>
        typeof row === "number" ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows of two texts never change
          <div key={i} className={css.skipped}>
            {t("sameLines", { count: row })}
          </div>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows of two texts never change
          <div key={i} className={css.line} data-same={row.same}>
            <Side of={row.left} tone={row.same ? undefined : css.was} said={row.same ? undefined : t("wasLine")} />
            <Side of={row.right} tone={row.same ? undefined : css.is} said={row.same ? undefined : t("isLine")} />
          </div>
        ),
      )}
    </section>
  );
}

interface SideProps {
  of: DiffRow["left"];
  tone: string | undefined;
  said: string | undefined;
}

function Side({ of, tone, said }: SideProps) {
  if (!of) return <div className={css.side} />;
  return (
    <div className={`${css.side} ${tone ?? ""}`}>
      <span className={`${css.number} numbers`}>{of.line}</span>
      <span className={css.text}>
        {said && <span className="visually-hidden">{said}: </span>}
        {of.text}
      </span>
    </div>
  );
}
