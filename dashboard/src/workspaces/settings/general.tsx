import { NativeSelect, Select, Switch, TextInput } from "@mantine/core";
import { useMemo } from "react";
import type { Edit } from "../../platform/form/edit.ts";
import type { Say } from "../../platform/language/texts.ts";
import { timeZones } from "../../platform/language/zones.ts";
import { Facts, Section } from "../../platform/look/parts.tsx";
import { Copy } from "../../platform/states/copy.tsx";
import css from "../workspaces.module.css";
import type { texts } from "./texts.ts";
import type { SettingsValues } from "./values.ts";

/** What each part of the page needs. */
export interface Part {
  form: Edit<SettingsValues>;
  t: Say<typeof texts>;
  /** Whether the member may only look. */
  off: boolean;
}

export function General({ form, t, off, id }: Part & { id: string }) {
  const zones = useMemo(timeZones, []);
  return (
    <Section title={t("general")}>
      <div className={css.fields}>
        <TextInput label={t("name")} disabled={off} {...form.text("name")} />
        <Select
          label={t("timezone")}
          description={t("timezoneHint")}
          name="timezone"
          searchable
          limit={50}
          allowDeselect={false}
          disabled={off}
          data={zones}
          value={form.values.timezone}
          onChange={(value) => value && form.set("timezone", value)}
          error={form.errorOf("timezone")}
        />
        <Facts
          of={[
            [
              t("workspaceId"),
              <>
                <code className="cut">{id}</code>
                <Copy value={id} what={t("workspaceId")} />
              </>,
            ],
          ]}
        />
      </div>
    </Section>
  );
}

/** What messages have where their content names nothing else. */
export function Senders({ form, t, off }: Part) {
  return (
    <Section title={t("senders")}>
      <div className={css.fields}>
        <TextInput
          label={t("emailFrom")}
          description={t("emailFromHint")}
          placeholder="Acme <hello@acme.test>"
          disabled={off}
          {...form.text("sender_defaults/email_from")}
        />
        <TextInput label={t("replyTo")} disabled={off} {...form.text("sender_defaults/email_reply_to")} />
        <TextInput
          label={t("country")}
          description={t("countryHint")}
          maxLength={2}
          disabled={off}
          {...form.text("sender_defaults/country")}
        />
      </div>
    </Section>
  );
}

export function InApp({ form, t, off }: Part) {
  const noHours = off || !form.values.quiet_defaults;
  return (
    <Section title={t("inApp")}>
      <div className={css.fields}>
        <Switch
          label={t("allowInApp")}
          description={t("allowInAppHint")}
          disabled={off}
          checked={form.values.allow_in_app}
          onChange={(event) => form.set("allow_in_app", event.currentTarget.checked)}
        />
        <Switch
          label={t("quiet")}
          description={t("quietHint")}
          disabled={off}
          checked={form.values.quiet_defaults}
          onChange={(event) => form.set("quiet_defaults", event.currentTarget.checked)}
          error={form.errorOf("quiet_defaults")}
        />
        <div className={css.row}>
          <TextInput type="time" label={t("quietFrom")} disabled={noHours} {...form.text("quiet_defaults/start")} />
          <TextInput type="time" label={t("quietTo")} disabled={noHours} {...form.text("quiet_defaults/end")} />
          <NativeSelect
            label={t("quietClock")}
            disabled={noHours}
            value={form.values["quiet_defaults/timezone_mode"]}
            onChange={(event) =>
              form.set("quiet_defaults/timezone_mode", event.currentTarget.value as "workspace" | "device")
            }
            data={[
              { value: "device", label: t("clockDevice") },
              { value: "workspace", label: t("clockWorkspace") },
            ]}
          />
        </div>
      </div>
    </Section>
  );
}
