import type { PropertyFilter } from "@tidings/contract/audience/audiences";
import { ActionIcon, Button } from "@mantine/core";
import { useTexts } from "../../platform/language/texts.ts";
import { Icon } from "../../platform/look/icons.tsx";
import css from "./builder.module.css";
import { useProperties } from "./fields/catalog.ts";
import { ComparisonFields } from "./fields/comparison.tsx";
import { NameField } from "./fields/name-field.tsx";
import type { Draft } from "./model/conditions.ts";
import { fieldTexts } from "./texts.ts";

interface WhereFieldsProps {
  /** The event whose properties are suggested. */
  event?: string | undefined;
  value: readonly PropertyFilter[];
  onChange: (where: PropertyFilter[]) => void;
  /** The message at a pointer into the list, such as "/0/value". */
  errorOf?: (pointer: string) => string | undefined;
}
const none = () => undefined;

/** Conditions on the properties of an event, all of which must hold. */
export function WhereFields({ event, value: where, onChange, errorOf = none }: WhereFieldsProps) {
  const t = useTexts(fieldTexts);
  const add = () => onChange([...where, { property: "", op: "eq" } as unknown as PropertyFilter]);
  return (
    <div className={css.where}>
      {where.map((one, i) => (
        <Where
          // biome-ignore lint/suspicious/noArrayIndexKey: what has no id is at its place
          key={i}
          event={event}
          value={one}
          onChange={(next) => onChange(where.with(i, next))}
          onRemove={() => onChange(where.toSpliced(i, 1))}
          errorOf={(field) => errorOf(`/${i}${field}`)}
        />
      ))}
      <Button
        className={css.more ?? ""}
        size="compact-sm"
        variant="subtle"
        leftSection={<Icon name="plus" size={12} />}
        onClick={add}
      >
        {t("addWhere")}
      </Button>
    </div>
  );
}

interface WhereProps {
  event: string | undefined;
  value: PropertyFilter;
  onChange: (where: PropertyFilter) => void;
  onRemove: () => void;
  errorOf: (field: string) => string | undefined;
}

function Where({ event, value, onChange, onRemove, errorOf }: WhereProps) {
  const t = useTexts(fieldTexts);
  const known = useProperties(event, value.property);
  return (
    <div className={css.line}>
      <span className={css.word}>{t("where")}</span>
      <NameField
        label={t("nameProperty")}
        value={value.property}
        onChange={(property) => onChange({ ...value, property })}
        suggestions={known.suggestions}
        unknown={known.sure && !known.field}
        error={errorOf("/property") ?? errorOf("")}
      />
      <ComparisonFields
        value={value as Draft}
        onChange={(draft) => onChange({ property: value.property, ...draft } as PropertyFilter)}
        known={known}
        errorOf={errorOf}
      />
      <ActionIcon variant="subtle" color="gray" size={28} onClick={onRemove} aria-label={t("removeWhere")}>
        <Icon name="close" size={14} />
      </ActionIcon>
    </div>
  );
}
