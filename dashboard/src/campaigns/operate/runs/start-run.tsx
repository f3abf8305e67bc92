import { Button, Stack, Textarea, TextInput, Tooltip } from "@mantine/core";
import { useState } from "react";
import { PersonField } from "../../../find-person/person-field.tsx";
import { queries } from "../../../platform/call/queries.ts";
import { mayEdit, useWorkspace } from "../../../platform/call/workspace.ts";
import { FormDialog } from "../../../platform/form/dialog.tsx";
import { useForm } from "../../../platform/form/form.ts";
import { useTexts } from "../../../platform/language/texts.ts";
import { texts as stateTexts } from "../../../platform/states/texts.ts";
import { tell } from "../../../platform/states/toasts.tsx";
import type { Campaign } from "../../campaign-shape.ts";
import { objectOf } from "../../simulate/form/values.ts";
import css from "../operate.module.css";
import { texts } from "./texts.ts";

/** Lets a person enter, as a call does. */
export function StartRun({ campaign }: { campaign: Campaign }) {
  const t = useTexts(texts);
  const say = useTexts(stateTexts);
  const open = useWorkspace();
  const [opened, setOpened] = useState(false);
  const may = mayEdit(open);
  const active = campaign.status === "active";
  return (
    <>
      <Tooltip label={may ? t("onlyActive") : say("onlyRead")} disabled={may && active}>
        <Button variant="default" size="xs" disabled={!may || !active} onClick={() => setOpened(true)}>
          {t("start")}
        </Button>
      </Tooltip>
      {opened && <Start campaign={campaign} onClose={() => setOpened(false)} />}
    </>
  );
}

function Start({ campaign: { id }, onClose }: { campaign: Campaign; onClose: () => void }) {
  const t = useTexts(texts);
  const open = useWorkspace();
  const [wrong, setWrong] = useState(false);
  const form = useForm(
    { person_id: "", data: "", cancellation_key: "" },
    async ({ person_id, data, cancellation_key }) => {
      const read = objectOf(data);
      setWrong(read === undefined);
      if (!read) return;
      const body = { person_id, data: read, ...(cancellation_key && { cancellation_key }) };
      await open.call("POST", `/campaigns/${id}/runs`, { body });
      tell(t("started"));
      void queries.invalidateQueries({
        predicate: ({ queryKey: [workspace, path] }) =>
          workspace === open.id && String(path).startsWith(`/campaigns/${id}/`),
      });
      onClose();
    },
  );
  return (
    <FormDialog title={t("startTitle")} form={form} yes={t("startYes")} onClose={onClose}>
      <p className={css.said}>{t("startBody")}</p>
      <Stack gap="sm">
        <PersonField
          label={t("person")}
          value={form.values.person_id}
          onChange={(person) => form.set("person_id", person)}
          autoFocus
        />
        {form.errorOf("person_id") && <p className={css.error}>{form.errorOf("person_id")}</p>}
        <Textarea
          label={t("data")}
          description={t("dataHint")}
          autosize
          minRows={2}
          classNames={{ input: "mono" }}
          {...form.text("data")}
          error={wrong ? t("noJson") : form.errorOf("data")}
        />
        <TextInput label={t("key")} description={t("keyHint")} maxLength={200} {...form.text("cancellation_key")} />
      </Stack>
    </FormDialog>
  );
}
