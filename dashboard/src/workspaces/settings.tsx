import type { Workspace } from "@tidings/contract/workspaces";
import type { Static } from "typebox";
import { useRead } from "../platform/call/queries.ts";
import { useTexts } from "../platform/language/texts.ts";
import { Answer, Loading } from "../platform/states/states.tsx";
import { Page } from "../platform/trail.tsx";
import { SettingsForm } from "./settings-form.tsx";
import { texts } from "./texts.ts";

/** The settings of the workspace. */
export function Settings() {
  const t = useTexts(texts);
  const read = useRead<Static<typeof Workspace>>("/workspace");
  return (
    <Page title={t("settings")}>
      <Answer of={read} loading={<Loading rows={8} height={32} />}>
        {(workspace) => <SettingsForm workspace={workspace} />}
      </Answer>
    </Page>
  );
}
