import type { Within } from "@tidings/contract/audience/audiences";
import { ActionIcon, Button } from "@mantine/core";
import { useTexts } from "../../../platform/language/texts.ts";
import { Icon } from "../../../platform/look/icons.tsx";
import css from "../builder.module.css";
import { fieldTexts } from "../texts.ts";
import { DurationField } from "../fields/duration.tsx";

interface WithinFieldProps<T extends { within?: Within }> {
  value: T;
  onChange: (value: T) => void;
  errorOf: (field: string) => string | undefined;
}

/** How far back a condition looks; without it, for ever. */
export function WithinField<T extends { within?: Within }>({ value, onChange, errorOf }: WithinFieldProps<T>) {
  const t = useTexts(fieldTexts);
  const { within, ...others } = value;
  if (!within)
    return (
      <Button
        className={css.more ?? ""}
        size="compact-sm"
        variant="subtle"
        leftSection={<Icon name="plus" size={12} />}
        onClick={() => onChange({ ...value, within: { amount: 30, unit: "days" } })}
      >
        {t("addWithin")}
      </Button>
    );
  return (
    <span className={css.pair}>
      <span className={css.word}>{t("within")}</span>
      <DurationField
        value={within}
        onChange={(next) => onChange({ ...value, within: next })}
        errorOf={(field) => errorOf(`/within${field}`)}
      />
      <ActionIcon
        variant="subtle"
        color="gray"
        size={28}
        onClick={() => onChange(others as T)}
        aria-label={t("removeWithin")}
      >
        <Icon name="close" size={14} />
      </ActionIcon>
    </span>
  );
}
