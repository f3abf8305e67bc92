import { useVersion } from "../../platform/call/queries.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { Answer, Loading } from "../../platform/states/states.tsx";
import { Page } from "../../platform/trail.tsx";
import type { WorkspaceRead } from "../settings/values.ts";
import { LimitsForm } from "./limits-form.tsx";
import { texts } from "./texts.ts";

/** How often and when people get messages, how often in-app messages appear, and how much may be called. */
export function Limits() {
  const t = useTexts(texts);
  const read = useVersion<WorkspaceRead>("/workspace");
  return (
    <Page title={t("limits")} lead={t("lead")}>
      <Answer of={read} loading={<Loading rows={8} height={32} />}>
        {(version) => <LimitsForm version={version} />}
      </Answer>
    </Page>
  );
}
