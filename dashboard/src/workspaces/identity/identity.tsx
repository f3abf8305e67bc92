import { useVersion } from "../../platform/call/queries.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { Answer, Loading } from "../../platform/states/states.tsx";
import { Page } from "../../platform/trail.tsx";
import type { WorkspaceRead } from "../settings/values.ts";
import { ModeForm } from "./mode-form.tsx";
import { Sample } from "./sample.tsx";
import { Secrets } from "./secrets.tsx";
import { texts } from "./texts.ts";

/** Whether applications must prove who their user is, and the secrets with which they do. */
export function Identity() {
  const t = useTexts(texts);
  const read = useVersion<WorkspaceRead>("/workspace");
  return (
    <Page title={t("identity")} lead={t("lead")}>
      <Answer of={read} loading={<Loading rows={6} height={32} />}>
        {(version) => <ModeForm version={version} />}
      </Answer>
      <Secrets />
      <Sample />
    </Page>
  );
}
