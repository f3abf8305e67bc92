import type { Oidc } from "@tidings/contract/members";
import { Button, Group } from "@mantine/core";
import { useState } from "react";
import type { Static } from "typebox";
import { Ask } from "../../platform/ask.tsx";
import { queries, useVersion } from "../../platform/call/queries.ts";
import { Refusal } from "../../platform/call/refusal.ts";
import { useWorkspace } from "../../platform/call/workspace.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { Facts, Section } from "../../platform/look/parts.tsx";
import { Copy } from "../../platform/states/copy.tsx";
import { Answer, Loading } from "../../platform/states/states.tsx";
import { tell } from "../../platform/states/toasts.tsx";
import { EditProvider, SetUpProvider } from "./provider-form.tsx";
import { texts } from "./texts.ts";

export type Provider = Static<typeof Oidc>;
export const PATH = "/oidc";

/** The identity provider through which members come in. */
export function ProviderSection() {
  const t = useTexts(texts);
  const open = useWorkspace();
  const read = useVersion<Provider>(PATH);
  const [dialog, setDialog] = useState<"edit" | "remove">();
  const owner = open.role === "owner";
  const none = read.error instanceof Refusal && read.error.status === 404;
  const again = () => void queries.resetQueries({ queryKey: [open.id, PATH] });
  const close = () => setDialog(undefined);
  if (none)
    return (
      <Section title={t("title")}>
        <p className="quiet">{t("none")}</p>
        <Button variant="default" disabled={!owner} onClick={() => setDialog("edit")}>
          {t("setUp")}
        </Button>
        {dialog === "edit" && <SetUpProvider onClose={close} onSaved={again} />}
      </Section>
    );
  return (
    <Section title={t("title")}>
      <Answer of={read} loading={<Loading rows={3} />}>
        {(version) => (
          <>
            <Shown provider={version.body} />
            <Group gap="xs" mt="sm">
              <Button variant="default" disabled={!owner} onClick={() => setDialog("edit")}>
                {t("change")}
              </Button>
              <Button variant="subtle" color="red" disabled={!owner} onClick={() => setDialog("remove")}>
                {t("remove")} …
              </Button>
            </Group>
            {dialog === "edit" && <EditProvider version={version} onClose={close} />}
          </>
        )}
      </Answer>
      {dialog === "remove" && (
        <Ask
          title={t("removeTitle")}
          yes={t("remove")}
          bad
          onClose={close}
          onYes={async () => {
            const etag = read.data?.etag;
            await open.call("DELETE", PATH, { headers: etag ? { "if-match": etag } : {} });
            tell(t("removed"));
            again();
          }}
        >
          {t("removeSure")}
        </Ask>
      )}
    </Section>
  );
}

function Shown({ provider }: { provider: Provider }) {
  const t = useTexts(texts);
  const { issuer, client_id, start_url, role_mapping } = provider;
  const copied = (value: string, what: string) => (
    <>
      <code>{value}</code>
      <Copy value={value} what={what} />
    </>
  );
  return (
    <Facts
      of={[
        [t("issuer"), issuer],
        [t("clientId"), <code key="id">{client_id}</code>],
        [t("roles"), role_mapping ? t("byClaim", { claim: role_mapping.claim }) : t("membersOnly")],
        [t("startUrl"), copied(start_url, t("startUrl"))],
      ]}
    />
  );
}
