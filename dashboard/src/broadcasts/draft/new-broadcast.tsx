import { Button, Group, Radio } from "@mantine/core";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { Channel } from "@tidings/contract/facts/activity";
import type { EditionsInput } from "@tidings/contract/messages/sendings";
import { useRef } from "react";
import { channels } from "../../activity/delivery.ts";
import { queries, useRead } from "../../platform/call/queries.ts";
import { sessionEnded } from "../../platform/call/session.ts";
import { mayEdit, useWorkspace } from "../../platform/call/workspace.ts";
import { AsCall } from "../../platform/code/as-call.tsx";
import { useForm } from "../../platform/form/form.ts";
import { differing } from "../../platform/form/merge.ts";
import { FormProblem, UnsavedGuard } from "../../platform/form/parts.tsx";
import { useTexts } from "../../platform/language/texts.ts";
import { Note } from "../../platform/look/parts.tsx";
import { texts as states } from "../../platform/states/texts.ts";
import { tell } from "../../platform/states/toasts.tsx";
import { useStore } from "../../platform/store.ts";
import { Page } from "../../platform/trail.tsx";
import type { WorkspaceRead } from "../../workspaces/settings/values.ts";
import type { Broadcast } from "../broadcast.ts";
import { texts as listTexts } from "../texts.ts";
import { firstEdition } from "../../sendings/editions.ts";
import { Editor } from "./editor.tsx";
import { texts } from "./texts.ts";
import { emptyValues, fieldOf, inputOf } from "./values.ts";

const route = getRouteApi("/w/$workspace/broadcasts/new");

/** A broadcast before it is saved for the first time. Its channel is chosen first, because everything else depends on it. */
export function NewBroadcast() {
  const t = useTexts(texts);
  const list = useTexts(listTexts);
  const say = useTexts(states);
  const open = useWorkspace();
  const { channel, step = "audience" } = route.useSearch();
  const navigate = route.useNavigate();
  const ended = useStore(sessionEnded);
  const off = !mayEdit(open);
  /** What was written for each channel: who looks at another one and comes back finds it again. */
  const written = useRef<Partial<Record<Channel, EditionsInput>>>({});
  const first = channel ? { ...emptyValues, editions: firstEdition(channel) } : emptyValues;
  const form = useForm(
    first,
    async (values) => {
      if (!channel) return;
      const { body } = await open.call<Broadcast>("POST", "/broadcasts", { body: inputOf(channel, values) });
      tell(t("created"));
      void queries.invalidateQueries({ queryKey: [open.id, "/broadcasts"] });
      const params = { workspace: open.id, id: body.id };
      await navigate({ to: "/w/$workspace/broadcasts/$id", params, search: { step }, replace: true });
    },
    fieldOf,
  );
  const choose = (to: Channel) => {
    if (channel) written.current[channel] = form.values.editions;
    form.set("editions", written.current[to] ?? firstEdition(to));
    void navigate({ search: (before) => ({ ...before, channel: to }), replace: true });
  };
  const body = channel && inputOf(channel, form.values);
  return (
    <Page
      title={t("newBroadcast")}
      lead={t("newLead")}
      above={[{ text: list("broadcasts"), link: { to: "/w/$workspace/broadcasts", params: { workspace: open.id } } }]}
    >
      <form onSubmit={form.onSubmit}>
        {off && <Note tone="warn">{say("onlyRead")}</Note>}
        <Channels chosen={channel} onChoose={choose} off={off} />
        {channel && (
          <>
            <Editor form={form} channel={channel} step={step} off={off} review={<p>{t("reviewLater")}</p>} />
            <FormProblem problem={form.problem} />
            <Group justify="flex-end" mt="md">
              <Button type="submit" loading={form.busy} disabled={off}>
                {t("create")}
              </Button>
            </Group>
          </>
        )}
        <UnsavedGuard dirty={differing(first, form.values).length > 0 && (!form.busy || ended)} />
      </form>
      {body && <AsCall of={{ method: "POST", path: "/api/v1/broadcasts", body, node: "broadcasts.create" }} />}
    </Page>
  );
}

interface ChannelsProps {
  chosen: Channel | undefined;
  onChoose: (channel: Channel) => void;
  off: boolean;
}

function Channels({ chosen, onChoose, off }: ChannelsProps) {
  const t = useTexts(texts);
  const { id: workspace } = useWorkspace();
  const { data } = useRead<WorkspaceRead>("/workspace");
  const inAppOff = data?.allow_in_app === false;
  return (
    <>
      <Radio.Group
        label={t("channel")}
        description={t("channelHint")}
        value={chosen ?? null}
        onChange={(channel) => onChoose(channel as Channel)}
      >
        <Group gap="lg" mt="xs">
          {channels.map((channel) => (
            <Radio
              key={channel}
              value={channel}
              label={t(channel)}
              disabled={off || (channel === "in_app" && inAppOff)}
            />
          ))}
        </Group>
      </Radio.Group>
      {inAppOff && (
        <p>
          {t("inAppOff")}{" "}
          <Link to="/w/$workspace/settings" params={{ workspace }}>
            {t("workspace")}
          </Link>
        </p>
      )}
    </>
  );
}
