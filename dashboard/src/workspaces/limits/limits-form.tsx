import { NativeSelect, NumberInput } from "@mantine/core";
import type { Read } from "../../platform/call/call.ts";
import { useWorkspace } from "../../platform/call/workspace.ts";
import { type Edit, useEdit } from "../../platform/form/edit.ts";
import { SaveBar } from "../../platform/form/save-bar.tsx";
import { useLanguage } from "../../platform/language/language.ts";
import { type Say, useTexts } from "../../platform/language/texts.ts";
import { Note, Section } from "../../platform/look/parts.tsx";
import { tell } from "../../platform/states/toasts.tsx";
import type { WorkspaceRead } from "../settings/values.ts";
import css from "../workspaces.module.css";
import { ExemptTopics } from "./exempt-topics.tsx";
import { LimitFields } from "./limit-fields.tsx";
import { sentenceOf, sentenceOfAll } from "./sentence.ts";
import { texts } from "./texts.ts";
import { channels, fieldOf, type LimitsValues, type LimitValues, patchOf, rates, units, valuesOf } from "./values.ts";

interface Part {
  form: Edit<LimitsValues>;
  t: Say<typeof texts>;
  off: boolean;
}

export function LimitsForm({ version }: { version: Read<WorkspaceRead> }) {
  const t = useTexts(texts);
  const language = useLanguage();
  const off = useWorkspace().role !== "owner";
  const form = useEdit({
    path: "/workspace",
    version,
    valuesOf,
    bodyOf: patchOf,
    fieldOf,
    onSaved: () => tell(t("saved")),
  });
  const say = (name: keyof LimitsValues, value: unknown) => {
    if (name === "all") return sentenceOfAll({ ...form.values, all: value as LimitValues }, t, language);
    const channel = channels.find((one) => one === name);
    return channel && sentenceOf({ ...form.values, [channel]: value }, channel, t, language);
  };
  const part = { form, t, off };
  return (
    <form className={css.form} onSubmit={form.onSubmit}>
      {off && <Note tone="warn">{t("onlyOwners")}</Note>}
      <Marketing {...part} language={language} />
      <Cap {...part} />
      <Rates {...part} />
      <SaveBar form={form} labels={labelsOf(t)} say={say} />
    </form>
  );
}

const labelsOf = (t: Say<typeof texts>) => ({
  all: t("allChannels"),
  email: t("email"),
  push: t("push"),
  sms: t("sms"),
  in_app: t("in_app"),
  cap_per_day: t("capPerDay"),
  cap_amount: t("capApart"),
  cap_unit: t("unit"),
  ...Object.fromEntries(rates.map((name) => [`rate_limits/${name}`, t(`rate_${name}`)])),
});

/** The limits of broadcasts and campaigns: a sentence for each part says what it means. */
function Marketing({ form, t, off, language }: Part & { language: string }) {
  return (
    <Section title={t("marketing")}>
      <p className="quiet">{t("marketingLead")}</p>
      <div className={css.limit}>
        <p className={css.sentence}>{sentenceOfAll(form.values, t, language)}</p>
        <LimitFields name="all" form={form} off={off} modes={["same", "own"]} />
      </div>
      <h3 className={css.subtitle}>{t("perChannel")}</h3>
      {channels.map((channel) => (
        <details key={channel} className={css.limit}>
          <summary>
            <span className={css.itemName}>{t(channel)}</span>{" "}
            <span className="quiet">{sentenceOf(form.values, channel, t, language)}</span>
          </summary>
          <LimitFields
            name={channel}
            form={form}
            off={off}
            modes={channel === "in_app" ? ["same", "own"] : ["same", "own", "none"]}
          />
        </details>
      ))}
      <ExemptTopics />
    </Section>
  );
}

const numberOf = (form: Edit<LimitsValues>, name: keyof LimitsValues) => ({
  name,
  min: 1,
  allowDecimal: false,
  value: form.values[name] as number | string,
  onChange: (value: number | string) => form.set(name, value as never),
  error: form.errorOf(name),
});

function Cap({ form, t, off }: Part) {
  const { cap_per_day: day, cap_amount: amount, cap_unit: unit } = form.values;
  const parts = [
    day !== "" && t("capDay", { most: day }),
    amount !== "" && t("capApartBy", { amount, unit: t(unit as (typeof units)[number]) }),
  ].filter(Boolean);
  return (
    <Section title={t("cap")}>
      <p className={css.sentence}>
        {parts.length > 0 ? t("capSentence", { limits: parts.join(` ${t("and")} `) }) : t("capNone")}
      </p>
      <div className={css.row}>
        <NumberInput label={t("capPerDay")} max={1_000} disabled={off} {...numberOf(form, "cap_per_day")} />
        <NumberInput label={t("capApart")} disabled={off} {...numberOf(form, "cap_amount")} />
        <NativeSelect
          label={t("unit")}
          disabled={off}
          value={unit}
          onChange={(event) => form.set("cap_unit", event.currentTarget.value)}
          data={units.map((value) => ({ value, label: t(value) }))}
        />
      </div>
      <p className="quiet">{t("capExempt")}</p>
    </Section>
  );
}

function Rates({ form, t, off }: Part) {
  return (
    <Section title={t("rates")}>
      <p className="quiet">{t("ratesLead")}</p>
      <div className={css.kinds}>
        {rates.map((name) => (
          <NumberInput
            key={name}
            label={t(`rate_${name}`)}
            placeholder={name === "new_people_per_hour" ? "10,000" : t("noLimit")}
            thousandSeparator=","
            max={100_000_000}
            disabled={off}
            {...numberOf(form, `rate_limits/${name}`)}
          />
        ))}
      </div>
    </Section>
  );
}
