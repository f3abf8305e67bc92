import type { Difference as DifferenceShape } from "@tidings/contract/audit";
import { useFormat } from "../../platform/language/format.ts";
import { useTexts } from "../../platform/language/texts.ts";
import css from "./audit.module.css";
import { texts } from "./texts.ts";
import { comparedByWords } from "./words.ts";

/** A long text. The log of changes keeps only its beginning. */
interface Cut {
  excerpt: string;
  characters: number;
}
const isCut = (value: unknown): value is Cut =>
  typeof value === "object" && value !== null && "excerpt" in value && "sha256" in value;

/** A JSON pointer as one reads it: `/content/subject` is `content › subject`. */
export const fieldOf = (pointer: string): string =>
  pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .join(" › ");

/** One field that changed: what it was and what it is. Texts are compared by words. */
export function Difference({ field, from, to }: DifferenceShape) {
  return (
    <>
      <dt className={css.field}>{fieldOf(field)}</dt>
      <dd className={css.values}>
        <Values from={from} to={to} />
      </dd>
    </>
  );
}

function Values({ from, to }: { from?: unknown; to?: unknown }) {
  const t = useTexts(texts);
  // The log has this word in the place of a secret.
  if (from === "changed" || to === "changed") return <span className="quiet">{t("secretChanged")}</span>;
  if (typeof from === "string" && typeof to === "string" && /\s/.test(from + to))
    return (
      <p className={css.prose}>
        {comparedByWords(from, to).map((piece, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a piece is its place
          <Piece key={i} {...piece} />
        ))}
      </p>
    );
  return (
    <>
      {from !== undefined && (
        <del className={css.before}>
          <span className="visually-hidden">{t("was")}: </span>
          <Value of={from} />
        </del>
      )}
      {to !== undefined && (
        <ins className={css.after}>
          <span className="visually-hidden">{t("is")}: </span>
          <Value of={to} />
        </ins>
      )}
    </>
  );
}

function Piece({ text, in: side }: { text: string; in: "both" | "before" | "after" }) {
  if (side === "before") return <del className={css.before}>{text}</del>;
  if (side === "after") return <ins className={css.after}>{text}</ins>;
  return text;
}

function Value({ of }: { of: unknown }) {
  const t = useTexts(texts);
  const format = useFormat();
  if (isCut(of))
    return (
      <>
        {of.excerpt} … <span className="quiet">({t("characters", { count: format.number(of.characters) })})</span>
      </>
    );
  return <>{typeof of === "string" ? of || "“”" : JSON.stringify(of)}</>;
}
