import { Radio, Stack } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { Ask } from "../../platform/ask.tsx";
import type { Read } from "../../platform/call/call.ts";
import { useWorkspace } from "../../platform/call/workspace.ts";
import { useEdit } from "../../platform/form/edit.ts";
import { SaveBar } from "../../platform/form/save-bar.tsx";
import { useFormat } from "../../platform/language/format.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { Facts, Note, Section } from "../../platform/look/parts.tsx";
import { tell } from "../../platform/states/toasts.tsx";
import type { WorkspaceRead } from "../settings/values.ts";
import css from "../workspaces.module.css";
import { texts } from "./texts.ts";

const modes = ["off", "monitor", "required"] as const;
const valuesOf = ({ identity_verification }: WorkspaceRead) => ({ identity_verification });

/** The mode, with what the counts of the last days say about requiring proof. */
export function ModeForm({ version }: { version: Read<WorkspaceRead> }) {
  const t = useTexts(texts);
  const off = useWorkspace().role !== "owner";
  const [asking, setAsking] = useState(false);
  const form = useEdit({
    path: "/workspace",
    version,
    valuesOf,
    bodyOf: (values) => values,
    onSaved: () => tell(t("saved")),
  });
  const { identity_verification: mode } = form.values;
  const { unverified_calls: calls } = version.body;
  const refused = calls.unsigned + calls.invalid;
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    if (mode === "monitor") return form.onSubmit(event);
    event.preventDefault();
    setAsking(true);
  };
  return (
    <form className={css.form} onSubmit={onSubmit}>
      {off && <Note tone="warn">{t("onlyOwners")}</Note>}
      <Section title={t("mode")}>
        <Radio.Group
          aria-label={t("mode")}
          name="identity_verification"
          value={mode}
          onChange={(value) => form.set("identity_verification", value as (typeof modes)[number])}
          error={form.errorOf("identity_verification")}
        >
          <Stack gap={10}>
            {modes.map((one) => (
              <Radio key={one} value={one} label={t(one)} description={t(`${one}Hint`)} disabled={off} />
            ))}
          </Stack>
        </Radio.Group>
      </Section>
      <Counts calls={calls} counted={version.body.identity_verification !== "off"} />
      <SaveBar
        form={form}
        labels={{ identity_verification: t("mode") }}
        say={(_, value) => t(value as (typeof modes)[number])}
      />
      {asking && (
        <Ask
          title={t(mode === "required" ? "requireTitle" : "offTitle")}
          yes={t(mode === "required" ? "requireYes" : "offYes")}
          bad={mode === "off" || refused > 0}
          onYes={() => form.submit()}
          onClose={() => setAsking(false)}
        >
          {mode === "off" ? (
            <p>{t("offSure")}</p>
          ) : (
            <p>{refused > 0 ? t("requireSure", { count: refused }) : t("requireSafe")}</p>
          )}
        </Ask>
      )}
    </form>
  );
}

function Counts({ calls, counted }: { calls: WorkspaceRead["unverified_calls"]; counted: boolean }) {
  const t = useTexts(texts);
  const format = useFormat();
  const unproven = calls.unsigned + calls.invalid + calls.claimed > 0;
  return (
    <Section title={t("counts")}>
      {unproven ? (
        <Stack gap="sm">
          <Facts
            of={[
              [t("unsigned"), format.number(calls.unsigned)],
              [t("invalid"), format.number(calls.invalid)],
              [t("claimed"), format.number(calls.claimed)],
            ]}
          />
          <Note tone="warn">{t(calls.unsigned + calls.invalid > 0 ? "wouldRefuse" : "onlyClaims")}</Note>
        </Stack>
      ) : (
        <Note tone={counted ? "good" : "plain"}>{t(counted ? "allProven" : "notCounted")}</Note>
      )}
    </Section>
  );
}
