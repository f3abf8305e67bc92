import { Button, TextInput, Tooltip } from "@mantine/core";
import { useState } from "react";
import { queries } from "../../../platform/call/queries.ts";
import { mayEdit, useWorkspace } from "../../../platform/call/workspace.ts";
import { FormDialog } from "../../../platform/form/dialog.tsx";
import { useForm } from "../../../platform/form/form.ts";
import { useTexts } from "../../../platform/language/texts.ts";
import { texts as stateTexts } from "../../../platform/states/texts.ts";
import { tell } from "../../../platform/states/toasts.tsx";
import type { Campaign } from "../../campaign-shape.ts";
import css from "../operate.module.css";
import { texts } from "./texts.ts";

/** Ends all runs that have a cancellation key. */
export function CancelByKey({ campaign }: { campaign: Campaign }) {
  const t = useTexts(texts);
  const say = useTexts(stateTexts);
  const open = useWorkspace();
  const [opened, setOpened] = useState(false);
  const may = mayEdit(open);
  return (
    <>
      <Tooltip label={say("onlyRead")} disabled={may}>
        <Button variant="default" size="xs" disabled={!may} onClick={() => setOpened(true)}>
          {t("cancel")}
        </Button>
      </Tooltip>
      {opened && <Cancel campaign={campaign} onClose={() => setOpened(false)} />}
    </>
  );
}

function Cancel({ campaign: { id }, onClose }: { campaign: Campaign; onClose: () => void }) {
  const t = useTexts(texts);
  const open = useWorkspace();
  const form = useForm({ cancellation_key: "" }, async (body) => {
    const answer = await open.call<{ canceled: number }>("POST", `/campaigns/${id}/runs/cancel`, { body });
    tell(t("canceledRuns", { count: answer.body.canceled }));
    void queries.invalidateQueries({
      predicate: ({ queryKey: [workspace, path] }) =>
        workspace === open.id && String(path).startsWith(`/campaigns/${id}/`),
    });
    onClose();
  });
  return (
    <FormDialog title={t("cancelTitle")} form={form} yes={t("cancelYes")} bad onClose={onClose}>
      <p className={css.said}>{t("cancelBody")}</p>
      <TextInput label={t("key")} required maxLength={200} data-autofocus {...form.text("cancellation_key")} />
    </FormDialog>
  );
}
