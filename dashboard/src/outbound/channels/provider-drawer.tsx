import { Button, Group } from "@mantine/core";
import { useState } from "react";
import { Ask } from "../../platform/ask.tsx";
import { queries, useRead } from "../../platform/call/queries.ts";
import { useWorkspace } from "../../platform/call/workspace.ts";
import { useFormat } from "../../platform/language/format.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { Facts, Note, Section } from "../../platform/look/parts.tsx";
import { SideDrawer, SideDrawerHead } from "../../platform/look/side-drawer.tsx";
import { Copy } from "../../platform/states/copy.tsx";
import { Answer, Loading } from "../../platform/states/states.tsx";
import { tell } from "../../platform/states/toasts.tsx";
import css from "./channels.module.css";
import { kindTexts } from "./kind-words.ts";
import { isKind } from "./kinds.ts";
import { EditProvider, type Fault } from "./provider-form.tsx";
import { ProviderState } from "./provider-list.tsx";
import { texts } from "./texts.ts";
import { TryOut } from "./try-out.tsx";
import type { Provider } from "./values.ts";

interface DrawerProps {
  id: string | undefined;
  /** Tests the connection at once. */
  test: boolean;
  onClose: () => void;
}

/** One provider, beside the list. Its address can be shared. */
export function ProviderDrawer({ id, test, onClose }: DrawerProps) {
  const t = useTexts(texts);
  return (
    <SideDrawer opened={id !== undefined} label={t("provider")} onClose={onClose}>
      {id && <Opened key={id} id={id} test={test} onClose={onClose} />}
    </SideDrawer>
  );
}

function Opened({ id, test, onClose }: DrawerProps & { id: string }) {
  const t = useTexts(texts);
  const open = useWorkspace();
  const read = useRead<Provider>(`/providers/${encodeURIComponent(id)}`, {}, { everyMs: 5_000 });
  const [editing, setEditing] = useState<{ fault?: Fault }>();
  const [removing, setRemoving] = useState(false);
  const mayChange = open.role === "owner";
  return (
    <>
      <SideDrawerHead title={read.data?.name} onClose={onClose} />
      <Answer of={read} loading={<Loading rows={8} />}>
        {(provider) => (
          <>
            <Group gap="xs" mb="md">
              <Button variant="default" disabled={!mayChange} onClick={() => setEditing({})}>
                {t("edit")}
              </Button>
              <Button variant="default" color="red" disabled={!mayChange} onClick={() => setRemoving(true)}>
                {t("remove")} …
              </Button>
            </Group>
            <Detail provider={provider} />
            <TryOut
              provider={provider}
              mayChange={mayChange}
              now={test}
              onCorrect={(field, message) => setEditing({ fault: { field, message } })}
            />
            {removing && (
              <Ask
                title={`${t("remove")}: ${provider.name}`}
                yes={t("remove")}
                bad
                onClose={() => setRemoving(false)}
                onYes={async () => {
                  await open.call("DELETE", `/providers/${provider.id}`);
                  void queries.invalidateQueries({ queryKey: [open.id, "/providers"] });
                  tell(t("removed", { name: provider.name }));
                  onClose();
                }}
              >
                {t("removeSure")}
              </Ask>
            )}
          </>
        )}
      </Answer>
      {editing && <EditProvider id={id} fault={editing.fault} onClose={() => setEditing(undefined)} />}
    </>
  );
}

function Detail({ provider }: { provider: Provider }) {
  const t = useTexts(texts);
  const format = useFormat();
  const { kind, state, rate_per_second: rate, channel, id } = provider;
  const named = useTexts(isKind(kind) ? kindTexts[kind] : kindTexts.local);
  return (
    <>
      {state.status === "resting" && (
        <div className={css.why}>
          <Note tone="bad">
            <q className="mono">{state.reason}</q>
            <p className={css.said}>{state.until && t("restsUntil", { time: format.instant(state.until) })}</p>
          </Note>
        </div>
      )}
      {state.status === "slow" && (
        <div className={css.why}>
          <Note tone="warn">{t("slowBody")}</Note>
        </div>
      )}
      <Facts
        of={[
          [t("state"), <ProviderState key="state" provider={provider} />],
          [t("kind"), `${isKind(kind) ? named("name") : kind} · ${t(channel)}`],
          [t("rate"), rate !== null && t("rateValue", { count: rate })],
          [
            t("id"),
            <>
              <code className="cut">{id}</code>
              <Copy value={id} what={t("id")} />
            </>,
          ],
        ]}
      />
      {provider.callback_url && <Callback url={provider.callback_url} kind={kind} />}
    </>
  );
}

/** A name of this machine or network, which no provider reaches. */
const isLocal = (url: string): boolean => {
  const { hostname } = new URL(url);
  return !hostname.includes(".") || /^(?:127|10|192\.168|172\.(?:1[6-9]|2\d|3[01]))\./.test(hostname);
};

function Callback({ url, kind }: { url: string; kind: string }) {
  const t = useTexts(texts);
  const catalog = isKind(kind) ? kindTexts[kind] : {};
  const named = useTexts(catalog);
  return (
    <Section title={t("callback")}>
      <p className="quiet">
        {t("callbackLead")} {"callback" in catalog && named("callback")}
      </p>
      <div className={css.address}>
        <code>{url}</code>
        <Copy value={url} what={t("callback")} />
      </div>
      {isLocal(url) && <Note tone="warn">{t("callbackLocal")}</Note>}
    </Section>
  );
}
