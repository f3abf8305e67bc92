import { Button, Modal, Radio, Stack, Switch, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { Ask } from "../../platform/ask.tsx";
import type { Read } from "../../platform/call/call.ts";
import { useVersion } from "../../platform/call/queries.ts";
import { mayEdit, useWorkspace } from "../../platform/call/workspace.ts";
import { FormDialog } from "../../platform/form/dialog.tsx";
import { useEdit } from "../../platform/form/edit.ts";
import { type Form, useForm } from "../../platform/form/form.ts";
import { MeanwhileNote } from "../../platform/form/meanwhile.tsx";
import { useTexts } from "../../platform/language/texts.ts";
import { Facts } from "../../platform/look/parts.tsx";
import { Copy } from "../../platform/states/copy.tsx";
import { Answer, Loading } from "../../platform/states/states.tsx";
import { tell } from "../../platform/states/toasts.tsx";
import type { Topic } from "./topics.tsx";
import { texts } from "./texts.ts";

const valuesOf = ({
  name,
  description,
  default: state,
  exempt_from_limits,
}: Omit<Topic, "id" | "created_at" | "updated_at">) => ({
  name,
  description: description ?? "",
  default: state,
  exempt_from_limits,
});
type TopicValues = ReturnType<typeof valuesOf>;
const bodyOf = (values: TopicValues) => ({ ...values, description: values.description || null });

export function NewTopic({ onClose, onMade }: { onClose: () => void; onMade: () => void }) {
  const t = useTexts(texts);
  const { call } = useWorkspace();
  const empty: TopicValues = { name: "", description: "", default: "subscribed", exempt_from_limits: false };
  const form = useForm(empty, async (values) => {
    await call("POST", "/topics", { body: bodyOf(values) });
    tell(t("created"));
    onMade();
    onClose();
  });
  return (
    <FormDialog title={t("newTopic")} form={form} yes={t("create")} onClose={onClose}>
      <Fields form={form} off={false} />
    </FormDialog>
  );
}

interface OpenTopicProps {
  id: string;
  onClose: () => void;
  onChanged: () => void;
}

/** A topic whose id is in the address. */
export function OpenTopic({ id, onClose, onChanged }: OpenTopicProps) {
  const t = useTexts(texts);
  const read = useVersion<Topic>(`/topics/${id}`);
  if (read.data) return <EditTopic version={read.data} onClose={onClose} onChanged={onChanged} />;
  return (
    <Modal opened onClose={onClose} title={t("topic")}>
      <Answer of={read} loading={<Loading rows={4} />}>
        {() => null}
      </Answer>
    </Modal>
  );
}

interface EditTopicProps {
  version: Read<Topic>;
  onClose: () => void;
  onChanged: () => void;
}

function EditTopic({ version, onClose, onChanged }: EditTopicProps) {
  const t = useTexts(texts);
  const open = useWorkspace();
  const off = !mayEdit(open);
  const [removing, setRemoving] = useState(false);
  const { id, name } = version.body;
  const form = useEdit({
    path: `/topics/${id}`,
    version,
    valuesOf,
    bodyOf: (values, typed) =>
      Object.fromEntries(Object.entries(bodyOf(values)).filter(([field]) => typed.includes(field as never))),
    onSaved: () => {
      tell(t("saved"));
      onChanged();
      onClose();
    },
  });
  const labels = {
    name: t("name"),
    description: t("description"),
    default: t("default"),
    exempt_from_limits: t("exemptLabel"),
  };
  const say = (_: string, value: unknown) =>
    value === "subscribed" || value === "unsubscribed" ? t(value) : undefined;
  return (
    <>
      <FormDialog
        title={name}
        form={form}
        yes={t("save")}
        off={off}
        onClose={onClose}
        problem={form.meanwhile && <MeanwhileNote form={form} labels={labels} say={say} />}
        aside={
          <Button variant="subtle" color="red" disabled={off} onClick={() => setRemoving(true)}>
            {t("remove")} …
          </Button>
        }
      >
        <Fields form={form} off={off} />
        {form.values.default !== version.body.default && (
          <p>{t(form.values.default === "subscribed" ? "nowOn" : "nowOff")}</p>
        )}
        <Facts
          of={[
            [
              t("id"),
              <>
                <code className="cut">{id}</code>
                <Copy value={id} what={t("id")} />
              </>,
            ],
          ]}
        />
      </FormDialog>
      {removing && (
        <Ask
          title={t("removeTitle", { name })}
          yes={t("remove")}
          bad
          onClose={() => setRemoving(false)}
          onYes={async () => {
            const { etag } = version;
            await open.call("DELETE", `/topics/${id}`, { headers: etag ? { "if-match": etag } : {} });
            tell(t("removed"));
            onChanged();
            onClose();
          }}
        >
          <p>{t("removeSure")}</p>
        </Ask>
      )}
    </>
  );
}

function Fields({ form, off }: { form: Form<TopicValues>; off: boolean }) {
  const t = useTexts(texts);
  return (
    <>
      <TextInput label={t("name")} data-autofocus disabled={off} {...form.text("name")} />
      <Textarea
        label={t("description")}
        description={t("descriptionHint")}
        autosize
        maxLength={500}
        disabled={off}
        {...form.text("description")}
      />
      <Radio.Group
        label={t("default")}
        value={form.values.default}
        onChange={(value) => form.set("default", value as TopicValues["default"])}
        error={form.errorOf("default")}
      >
        <Stack gap={8} mt="xs">
          <Radio value="subscribed" label={t("subscribed")} description={t("subscribedHint")} disabled={off} />
          <Radio value="unsubscribed" label={t("unsubscribed")} description={t("unsubscribedHint")} disabled={off} />
        </Stack>
      </Radio.Group>
      <Switch
        label={t("exemptLabel")}
        description={t("exemptHint")}
        disabled={off}
        checked={form.values.exempt_from_limits}
        onChange={(event) => form.set("exempt_from_limits", event.currentTarget.checked)}
      />
    </>
  );
}
