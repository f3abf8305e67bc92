import type { Workspace, WorkspacePatch } from "@tidings/contract/workspaces";
import { Button, NumberInput, Radio, Select, Stack, Switch, TextInput } from "@mantine/core";
import { useMemo } from "react";
import type { Static } from "typebox";
import { queries } from "../platform/call/queries.ts";
import { useWorkspace } from "../platform/call/workspace.ts";
import { type Form, useForm } from "../platform/form/form.ts";
import { FormProblem, UnsavedGuard } from "../platform/form/parts.tsx";
import { type Say, useTexts } from "../platform/language/texts.ts";
import { Facts, Note, Section } from "../platform/look/parts.tsx";
import { Copy } from "../platform/states/copy.tsx";
import { tell } from "../platform/states/toasts.tsx";
import css from "./workspaces.module.css";
import { texts } from "./texts.ts";

type Read = Static<typeof Workspace>;
const modes = ["off", "monitor", "required"] as const;

/** What the form has of the settings; each name is the pointer of its field. */
const valuesOf = ({ sender_defaults: sender, ...workspace }: Read) => ({
  name: workspace.name,
  timezone: workspace.timezone,
  allow_in_app: workspace.allow_in_app,
  identity_verification: workspace.identity_verification,
  retention_days: workspace.retention_days as number | string,
  "sender_defaults/email_from": sender.email_from ?? "",
  "sender_defaults/email_reply_to": sender.email_reply_to ?? "",
  "sender_defaults/country": sender.country ?? "",
});
type Values = ReturnType<typeof valuesOf>;
type Part = { form: Form<Values>; t: Say<typeof texts>; off: boolean };

/** Returns the fields that differ, so that nothing is written that another changed meanwhile. */
function patchOf(before: Read, values: Values): WorkspacePatch {
  const was = valuesOf(before);
  const changed = Object.entries(values).filter(([name, value]) => value !== was[name as keyof Values]);
  const plain = changed.filter(([name]) => !name.includes("/"));
  if (plain.length === changed.length) return Object.fromEntries(plain);
  const sender = Object.entries(values)
    .filter(([name, value]) => name.startsWith("sender_defaults/") && value !== "")
    .map(([name, value]) => [name.slice("sender_defaults/".length), value]);
  return { ...Object.fromEntries(plain), sender_defaults: Object.fromEntries(sender) };
}

export function SettingsForm({ workspace }: { workspace: Read }) {
  const t = useTexts(texts);
  const open = useWorkspace();
  const off = open.role !== "owner";
  const form = useForm(valuesOf(workspace), async (values) => {
    const { body } = await open.call<Read>("PATCH", "/workspace", { body: patchOf(workspace, values) });
    queries.setQueryData([open.id, "/workspace", {}], body);
    // The name is also in the navigation.
    void queries.invalidateQueries({ queryKey: ["session"] });
    tell(t("saved"));
  });
  const part = { form, t, off };
  return (
    <form className={css.form} onSubmit={form.onSubmit}>
      {off && <Note tone="warn">{t("onlyOwners")}</Note>}
      <General {...part} id={workspace.id} />
      <Channels {...part} />
      <Identity {...part} calls={workspace.unverified_calls} />
      <Section title={t("retention")}>
        <div className={css.fields}>
          <NumberInput
            label={t("retentionDays")}
            description={t("retentionHint")}
            name="retention_days"
            min={1}
            max={3650}
            allowDecimal={false}
            disabled={off}
            value={form.values.retention_days}
            onChange={(value) => form.set("retention_days", value)}
            error={form.errorOf("retention_days")}
          />
        </div>
      </Section>
      <UnsavedGuard dirty={form.dirty} />
      {form.dirty && (
        <div className={css.bar}>
          <span className={css.barText}>{t("unsaved")}</span>
          <FormProblem problem={form.problem} />
          <Button variant="default" onClick={() => form.reset(valuesOf(workspace))}>
            {t("discard")}
          </Button>
          <Button type="submit" loading={form.busy}>
            {t("save")}
          </Button>
        </div>
      )}
    </form>
  );
}

function General({ form, t, off, id }: Part & { id: string }) {
  const zones = useMemo(() => ["UTC", ...Intl.supportedValuesOf("timeZone")], []);
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

function Channels({ form, t, off }: Part) {
  return (
    <Section title={t("channelsTitle")}>
      <div className={css.fields}>
        <Switch
          label={t("allowInApp")}
          description={t("allowInAppHint")}
          disabled={off}
          checked={form.values.allow_in_app}
          onChange={(event) => form.set("allow_in_app", event.currentTarget.checked)}
        />
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

function Identity({ form, t, off, calls }: Part & { calls: Read["unverified_calls"] }) {
  const unproven = calls.unsigned + calls.invalid + calls.claimed > 0;
  return (
    <Section title={t("identity")}>
      <div className={css.fields}>
        <Radio.Group
          description={t("identityLead")}
          name="identity_verification"
          value={form.values.identity_verification}
          onChange={(value) => form.set("identity_verification", value as (typeof modes)[number])}
        >
          <Stack gap={10} mt="xs">
            {modes.map((mode) => (
              <Radio key={mode} value={mode} label={t(mode)} description={t(`${mode}Hint`)} disabled={off} />
            ))}
          </Stack>
        </Radio.Group>
        <Note tone={unproven ? "warn" : "good"}>{unproven ? t("unverified", { ...calls }) : t("allVerified")}</Note>
      </div>
    </Section>
  );
}
