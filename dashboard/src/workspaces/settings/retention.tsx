import { NumberInput } from "@mantine/core";
import { Section } from "../../platform/look/parts.tsx";
import css from "../workspaces.module.css";
import type { Part } from "./general.tsx";
import { keptDays, kinds, type Name } from "./values.ts";

/** Fields for how long each kind of data is kept. They say what is deleted after that time. */
export function Retention({ form, t, off }: Part) {
  const days = (name: Name & (`retention/${string}` | "retention_days")) => ({
    name,
    min: 1,
    max: 3650,
    allowDecimal: false,
    suffix: t("daysSuffix"),
    disabled: off,
    value: form.values[name],
    onChange: (value: number | string) => form.set(name, value),
    error: form.errorOf(name),
  });
  return (
    <Section title={t("retention")}>
      <p className="quiet">{t("retentionLead")}</p>
      <div className={css.fields}>
        <NumberInput label={t("retentionDays")} description={t("retentionHint")} {...days("retention_days")} />
      </div>
      <div className={css.kinds}>
        {kinds.map((kind) => (
          <NumberInput
            key={kind}
            label={t(kind)}
            description={t(`${kind}Goes`)}
            inputWrapperOrder={["label", "input", "description", "error"]}
            placeholder={t("daysAsAll", { days: keptDays(form.values, kind) })}
            {...days(`retention/${kind}`)}
          />
        ))}
      </div>
    </Section>
  );
}
