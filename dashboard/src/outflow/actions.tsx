import type { DestinationTested } from "@tidings/contract/destinations";
import { Button, Group, Menu, Modal } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { Static } from "typebox";
import { AskCall } from "../platform/ask-call.tsx";
import { queries } from "../platform/call/queries.ts";
import { useWorkspace } from "../platform/call/workspace.ts";
import { useFormat } from "../platform/language/format.ts";
import { useTexts } from "../platform/language/texts.ts";
import { Icon } from "../platform/look/icons.tsx";
import { Note } from "../platform/look/parts.tsx";
import { tell, tellFault } from "../platform/states/toasts.tsx";
import { useLeave } from "../platform/use-leave.ts";
import type { Destination } from "./destination.ts";
import { EditDestination } from "./destination-form.tsx";
import { texts } from "./texts.ts";

type Tested = Static<typeof DestinationTested>;

/** What one can do with a destination. Owners only: the service checks it, too. */
export function Actions({ destination }: { destination: Destination }) {
  const t = useTexts(texts);
  const open = useWorkspace();
  const [dialog, setDialog] = useState<"edit" | "pause" | "remove" | "tried">();
  const path = `/export-destinations/${destination.id}`;
  const mayChange = open.role === "owner";
  const close = () => setDialog(undefined);
  const test = useMutation({
    mutationFn: async () => (await open.call<Tested>("POST", `${path}/test`)).body,
    onSuccess: () => setDialog("tried"),
    onError: tellFault,
  });
  const resume = useMutation({
    mutationFn: () => open.call("PATCH", path, { body: { enabled: true } }),
    onSuccess: () => {
      tell(t("resumed"));
      void queries.invalidateQueries({ queryKey: [open.id] });
    },
    onError: tellFault,
  });
  return (
    <>
      {!destination.enabled && (
        <Button disabled={!mayChange} loading={resume.isPending} onClick={() => resume.mutate()}>
          {t("resume")}
        </Button>
      )}
      <Button variant="default" disabled={!mayChange} loading={test.isPending} onClick={() => test.mutate()}>
        {t("tryIt")}
      </Button>
      <Menu position="bottom-end" disabled={!mayChange}>
        <Menu.Target>
          <Button variant="default" disabled={!mayChange} aria-label={t("more")}>
            <Icon name="down" />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setDialog("edit")}>{t("edit")}</Menu.Item>
          {destination.enabled && <Menu.Item onClick={() => setDialog("pause")}>{t("pause")} …</Menu.Item>}
          <Menu.Item color="red" onClick={() => setDialog("remove")}>
            {t("remove")} …
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {dialog === "edit" && <EditDestination id={destination.id} onClose={close} />}
      {dialog === "tried" && test.data && <TryOut tested={test.data} onClose={close} />}
      {dialog === "pause" && <Pause path={path} onClose={close} />}
      {dialog === "remove" && <Remove destination={destination} path={path} onClose={close} />}
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

interface RemoveProps {
  destination: Destination;
  path: string;
  onClose: () => void;
}

function Remove({ destination: { name }, path, onClose }: RemoveProps) {
  const t = useTexts(texts);
  const { id: workspace } = useWorkspace();
  const leave = useLeave();
  return (
    <AskCall
      title={`${t("remove")}: ${name}`}
      yes={t("remove")}
      bad
      method="DELETE"
      path={path}
      done={t("removed")}
      leave={() => leave({ to: "/w/$workspace/export-destinations", params: { workspace } })}
      reads="/export-destinations"
      onClose={onClose}
    >
      {t("removeSure")}
    </AskCall>
  );
}

/** What the far end said to a test. */
function TryOut({ tested: { ok, error, duration_ms: ms }, onClose }: { tested: Tested; onClose: () => void }) {
  const t = useTexts(texts);
  const format = useFormat();
  return (
    <Modal opened onClose={onClose} title={t("tryIt")}>
      <Note tone={ok ? "good" : "bad"} role={ok ? undefined : "alert"}>
        {t(ok ? "tryGood" : "tryBad", { time: format.length(ms) })} {error && <q>{error}</q>}
      </Note>
      <Group justify="flex-end" mt="md">
        <Button onClick={onClose} data-autofocus>
          {t("close")}
        </Button>
      </Group>
    </Modal>
  );
}
