import type { Workspace as Shape } from "@tidings/contract/workspaces";
import { Switch } from "@mantine/core";
import { useState } from "react";
import type { Static } from "typebox";
import { Ask } from "../../platform/ask.tsx";
import { keepVersion, useVersion } from "../../platform/call/queries.ts";
import { useWorkspace } from "../../platform/call/workspace.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { Card, Section } from "../../platform/look/parts.tsx";
import { Answer, Loading } from "../../platform/states/states.tsx";
import { tell, tellFault } from "../../platform/states/toasts.tsx";
import { texts } from "./texts.ts";

export type Workspace = Static<typeof Shape>;

/** The in-app channel: allowed or not. What switching it off stops is said before. */
export function InApp() {
  const t = useTexts(texts);
  const open = useWorkspace();
  const read = useVersion<Workspace>("/workspace");
  const [asking, setAsking] = useState(false);
  const change = async (allow_in_app: boolean) => {
    keepVersion(open.id, "/workspace", await open.call<Workspace>("PATCH", "/workspace", { body: { allow_in_app } }));
    tell(t(allow_in_app ? "onNow" : "offNow"));
  };
  const mayChange = open.role === "owner";
  return (
    <Section title={t("inApp")}>
      <Answer of={read} loading={<Loading rows={1} height={32} />}>
        {({ body }) => (
          <Card>
            <Switch
              label={t("allowed")}
              description={mayChange ? t("allowedHint") : `${t("allowedHint")} ${t("onlyOwners")}`}
              disabled={!mayChange}
              checked={body.allow_in_app}
              onChange={(event) => {
                if (!event.currentTarget.checked) setAsking(true);
                else change(true).catch(tellFault);
              }}
            />
          </Card>
        )}
      </Answer>
      {asking && (
        <Ask
          title={t("switchOff")}
          yes={t("switchOffYes")}
          bad
          onClose={() => setAsking(false)}
          onYes={() => change(false)}
        >
          <ul>
            {(["off1", "off2", "off3", "off4"] as const).map((key) => (
              <li key={key}>{t(key)}</li>
            ))}
          </ul>
        </Ask>
      )}
    </Section>
  );
}
