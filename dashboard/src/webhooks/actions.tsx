import type { SecretRotated, WebhookTested } from "@tidings/contract/webhooks";
import { Button, Menu, NativeSelect } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { Static } from "typebox";
import { Ask } from "../platform/ask.tsx";
import { AskCall } from "../platform/ask-call.tsx";
import { queries } from "../platform/call/queries.ts";
import { useWorkspace } from "../platform/call/workspace.ts";
import { useTexts } from "../platform/language/texts.ts";
import { Icon } from "../platform/look/icons.tsx";
import { ShownOnce } from "../platform/states/shown-once.tsx";
import { tell, tellFault } from "../platform/states/toasts.tsx";
import { useLeave } from "../platform/use-leave.ts";
import { EditEndpoint } from "./endpoint-form.tsx";
import { Replay } from "./replay.tsx";
import { texts } from "./texts.ts";
import { TryOut } from "./try-out.tsx";
import type { Webhook } from "./webhook.ts";

type Dialog = "edit" | "pause" | "remove" | "roll" | "replay" | "tried";
/** What one can do with an endpoint. Owners only: the service checks it, too. */
export function Actions({ webhook }: { webhook: Webhook }) {
  const t = useTexts(texts);
  const open = useWorkspace();
  const [dialog, setDialog] = useState<Dialog>();
  const [secret, setSecret] = useState<string>();
  const path = `/webhooks/${webhook.id}`;
  const mayChange = open.role === "owner";
  const close = () => setDialog(undefined);
  const test = useMutation({
    mutationFn: async () => (await open.call<Static<typeof WebhookTested>>("POST", `${path}/test`)).body,
    onSuccess: () => setDialog("tried"),
    onError: tellFault,
  });
  const enable = useMutation({
    mutationFn: () => open.call("PATCH", path, { body: { enabled: true } }),
    onSuccess: () => {
      tell(t("enabledNow"));
      void queries.invalidateQueries({ queryKey: [open.id] });
    },
    onError: tellFault,
  });
  return (
    <>
      {!webhook.enabled && (
        <Button disabled={!mayChange} loading={enable.isPending} onClick={() => enable.mutate()}>
          {t("enable")}
        </Button>
      )}
      <Button variant="default" disabled={!mayChange} loading={test.isPending} onClick={() => test.mutate()}>
        {t("tryIt")}
      </Button>
      <Button variant="default" disabled={!mayChange || !webhook.enabled} onClick={() => setDialog("replay")}>
        {t("replay")}
      </Button>
      <Menu position="bottom-end" disabled={!mayChange}>
        <Menu.Target>
          <Button variant="default" disabled={!mayChange} aria-label={t("more")}>
            <Icon name="down" />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setDialog("edit")}>{t("edit")}</Menu.Item>
          <Menu.Item onClick={() => setDialog("roll")}>{t("roll")} …</Menu.Item>
          {webhook.enabled && <Menu.Item onClick={() => setDialog("pause")}>{t("pause")} …</Menu.Item>}
          <Menu.Item color="red" onClick={() => setDialog("remove")}>
            {t("remove")} …
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {dialog === "edit" && <EditEndpoint id={webhook.id} onClose={close} />}
      {dialog === "replay" && <Replay webhook={webhook} onClose={close} />}
      {dialog === "tried" && test.data && <TryOut tested={test.data} onClose={close} />}
      {dialog === "pause" && <Pause path={path} onClose={close} />}
      {dialog === "roll" && <RollSecret path={path} onMade={setSecret} onClose={close} />}
      {dialog === "remove" && <Remove webhook={webhook} onClose={close} />}
      {secret && (
        <ShownOnce
          title={t("secretTitle")}
          lead={t("secretBody")}
          values={[{ name: t("secretTitle"), value: secret }]}
          onClose={() => setSecret(undefined)}
        />
      )}
    </>
  );
}

function Pause({ path, onClose }: { path: string; onClose: () => void }) {
  const t = useTexts(texts);
  return (
    <AskCall
      title={t("pause")}
      yes={t("pause")}
      method="PATCH"
      path={path}
      body={{ enabled: false }}
      done={t("pausedNow")}
      onClose={onClose}
    >
      {t("pauseSure")}
    </AskCall>
  );
}

/** For how many hours the secret from before still signs, too. */
const OVERLAPS = [24, 0, 168] as const;

interface RollSecretProps {
  path: string;
  onMade: (secret: string) => void;
  onClose: () => void;
}

function RollSecret({ path, onMade, onClose }: RollSecretProps) {
  const t = useTexts(texts);
  const { call } = useWorkspace();
  const [overlap, setOverlap] = useState<number>(OVERLAPS[0]);
  const roll = async () => {
    const body = { overlap_hours: overlap };
    onMade((await call<Static<typeof SecretRotated>>("POST", `${path}/secret`, { body })).body.secret);
  };
  return (
    <Ask title={t("roll")} yes={t("roll")} onClose={onClose} onYes={roll}>
      <p>{t("rollBody")}</p>
      <NativeSelect
        label={t("overlap")}
        value={overlap}
        onChange={(event) => setOverlap(Number(event.currentTarget.value))}
        data={OVERLAPS.map((hours) => ({ value: String(hours), label: t(`overlap${hours}`) }))}
      />
    </Ask>
  );
}

function Remove({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const t = useTexts(texts);
  const { id: workspace } = useWorkspace();
  const leave = useLeave();
  return (
    <AskCall
      title={`${t("remove")}: ${webhook.url}`}
      yes={t("remove")}
      bad
      method="DELETE"
      path={`/webhooks/${webhook.id}`}
      done={t("removed")}
      leave={() => leave({ to: "/w/$workspace/webhooks", params: { workspace } })}
      reads="/webhooks"
      onClose={onClose}
    >
      {t("removeSure")}
    </AskCall>
  );
}
