import type { PropertyFilter } from "@tidings/contract/audience/audiences";
import { WhereFields } from "../../../audiences/builder/where.tsx";
import { useTexts } from "../../../platform/language/texts.ts";
import css from "../inspector.module.css";
import { texts } from "../texts.ts";

interface WhereFieldProps {
  event: string | undefined;
  value: Record<string, unknown>[] | undefined;
  /** Undefined where there is no condition. */
  onChange: (where: Record<string, unknown>[] | undefined) => void;
  errorOf: (pointer: string) => string | undefined;
  off: boolean;
}

/** Conditions on the properties of an event. */
export function WhereField({ event, value = [], onChange, errorOf, off }: WhereFieldProps) {
  const t = useTexts(texts);
  return (
    <fieldset className={css.bare} disabled={off}>
      <legend className={css.label}>{t("where")}</legend>
      <WhereFields
        event={event || undefined}
        value={value as unknown as PropertyFilter[]}
        onChange={(where) => onChange(where.length > 0 ? (where as unknown as Record<string, unknown>[]) : undefined)}
        errorOf={errorOf}
      />
    </fieldset>
  );
}
