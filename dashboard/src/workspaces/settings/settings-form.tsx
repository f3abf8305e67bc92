import { type FormEvent, useState } from "react";
import { Ask } from "../../platform/ask.tsx";
import type { Read } from "../../platform/call/call.ts";
import { queries } from "../../platform/call/queries.ts";
import { useWorkspace } from "../../platform/call/workspace.ts";
import { useEdit } from "../../platform/form/edit.ts";
import { SaveBar } from "../../platform/form/save-bar.tsx";
import { useTexts } from "../../platform/language/texts.ts";
import { Note } from "../../platform/look/parts.tsx";
import { tell } from "../../platform/states/toasts.tsx";
import css from "../workspaces.module.css";
import { General, InApp, Senders } from "./general.tsx";
import { Retention } from "./retention.tsx";
import { texts } from "./texts.ts";
import { consequencesOf, keptDays, patchOf, valuesOf, type WorkspaceRead } from "./values.ts";

export function SettingsForm({ version }: { version: Read<WorkspaceRead> }) {
  const t = useTexts(texts);
  const open = useWorkspace();
  const off = open.role !== "owner";
  const [asking, setAsking] = useState(false);
  const form = useEdit({
    path: "/workspace",
    version,
    valuesOf,
    bodyOf: patchOf,
    onSaved: () => {
      // The name is also in the navigation.
      void queries.invalidateQueries({ queryKey: ["session"] });
      tell(t("saved"));
    },
  });
  const { shorter, stopsInApp } = consequencesOf(valuesOf(version.body), form.values);
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    if (shorter.length === 0 && !stopsInApp) return form.onSubmit(event);
    event.preventDefault();
    setAsking(true);
  };
  const part = { form, t, off };
  return (
    <form className={css.form} onSubmit={onSubmit}>
      {off && <Note tone="warn">{t("onlyOwners")}</Note>}
      <General {...part} id={version.body.id} />
      <Senders {...part} />
      <InApp {...part} />
      <Retention {...part} />
      <SaveBar form={form} labels={labelsOf(t)} />
      {asking && (
        <Ask title={t("sureTitle")} yes={t("sureYes")} bad onYes={() => form.submit()} onClose={() => setAsking(false)}>
          <ul className={css.sure}>
            {stopsInApp && <li>{t("sureInApp")}</li>}
            {shorter.map((kind) => (
              <li key={kind}>{t("sureShorter", { what: t(kind), days: keptDays(form.values, kind) })}</li>
            ))}
          </ul>
          {shorter.length > 0 && <p>{t("sureGone")}</p>}
        </Ask>
      )}
    </form>
  );
}

const labelsOf = (t: ReturnType<typeof useTexts<typeof texts>>) => ({
  name: t("name"),
  timezone: t("timezone"),
  "sender_defaults/email_from": t("emailFrom"),
  "sender_defaults/email_reply_to": t("replyTo"),
  "sender_defaults/country": t("country"),
  allow_in_app: t("allowInApp"),
  quiet_defaults: t("quiet"),
  "quiet_defaults/timezone_mode": t("quietClock"),
  "quiet_defaults/start": t("quietFrom"),
  "quiet_defaults/end": t("quietTo"),
  retention_days: t("retentionDays"),
  "retention/deliveries": t("deliveries"),
  "retention/events": t("events"),
  "retention/activity": t("activity"),
  "retention/runs": t("runs"),
  "retention/audit": t("audit"),
  "retention/content": t("content"),
});
