import { useVersion } from "../../platform/call/queries.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { Answer, Loading } from "../../platform/states/states.tsx";
import { Page } from "../../platform/trail.tsx";
import { SettingsForm } from "./settings-form.tsx";
import { texts } from "./texts.ts";
import type { WorkspaceRead } from "./values.ts";

/** The settings of the workspace that have no page of their own. */
export function Settings() {
  const t = useTexts(texts);
  const read = useVersion<WorkspaceRead>("/workspace");
  return (
    <Page title={t("settings")}>
      <Answer of={read} loading={<Loading rows={8} height={32} />}>
        {(version) => <SettingsForm version={version} />}
      </Answer>
    </Page>
  );
}
