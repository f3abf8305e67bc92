import type { WebhookCreated, WebhookPatch } from "@tidings/contract/webhooks";
import { Radio, Stack, TextInput } from "@mantine/core";
import type { Static } from "typebox";
import type { Read } from "../platform/call/call.ts";
import { queries, useVersion } from "../platform/call/queries.ts";
import { useWorkspace } from "../platform/call/workspace.ts";
import { FormDialog } from "../platform/form/dialog.tsx";
import { useEdit } from "../platform/form/edit.ts";
import { type Form, useForm } from "../platform/form/form.ts";
import { MeanwhileNote } from "../platform/form/meanwhile.tsx";
import { useTexts } from "../platform/language/texts.ts";
import { tell } from "../platform/states/toasts.tsx";
import { EventTypes } from "./event-types.tsx";
import { texts } from "./texts.ts";
import type { Webhook } from "./webhook.ts";

const EXAMPLE = "https://hooks.example.com/tidings";

interface EndpointValues extends Record<string, unknown> {
  url: string;
  description: string;
  /** Whether it gets every event. */
  every: boolean;
  types: string[];
}

const valuesOf = ({ url, description, types }: Pick<Webhook, "url" | "description" | "types">): EndpointValues => ({
  url,
  description,
  every: types.length === 0,
  types,
});
const bodyOf = ({ url, description, every, types }: EndpointValues) => ({
  url: url.trim(),
  description: description.trim(),
  types: every ? [] : types,
});

type Created = Static<typeof WebhookCreated>;

export function NewEndpoint({ onClose, onMade }: { onClose: () => void; onMade: (made: Created) => void }) {
  const t = useTexts(texts);
  const open = useWorkspace();
  const form = useForm(valuesOf({ url: "", description: "", types: [] }), async (values) => {
    assertChosen(values, t("chooseSome"));
    const { body } = await open.call<Created>("POST", "/webhooks", { body: bodyOf(values) });
    void queries.invalidateQueries({ queryKey: [open.id, "/webhooks"] });
    onMade(body);
  });
  return (
    <FormDialog title={t("new")} form={form} yes={t("add")} size="lg" onClose={onClose}>
      <Fields form={form} />
    </FormDialog>
  );
}

/** An empty list would mean every event. */
function assertChosen({ every, types }: EndpointValues, otherwise: string): void {
  if (!every && types.length === 0) throw new Error(otherwise);
}

export function EditEndpoint({ id, onClose }: { id: string; onClose: () => void }) {
  const read = useVersion<Webhook>(`/webhooks/${id}`);
  return read.data ? <Editing version={read.data} onClose={onClose} /> : null;
}

function Editing({ version, onClose }: { version: Read<Webhook>; onClose: () => void }) {
  const t = useTexts(texts);
  const open = useWorkspace();
  const form = useEdit<Webhook, EndpointValues>({
    path: `/webhooks/${version.body.id}`,
    version,
    valuesOf,
    bodyOf(values, typed): WebhookPatch {
      assertChosen(values, t("chooseSome"));
      const all = bodyOf(values);
      const changed = new Set(typed.map((name) => (name === "every" ? "types" : name)));
      return Object.fromEntries(Object.entries(all).filter(([name]) => changed.has(name)));
    },
    onSaved() {
      void queries.invalidateQueries({ queryKey: [open.id, "/webhooks"] });
      tell(t("saved"));
      onClose();
    },
  });
  const labels = { url: t("url"), description: t("description"), every: t("all"), types: t("events") };
  return (
    <FormDialog
      title={t("editing")}
      form={form}
      yes={t("save")}
      size="lg"
      onClose={onClose}
      {...(form.meanwhile && { problem: <MeanwhileNote form={form} labels={labels} /> })}
    >
      <Fields form={form} />
    </FormDialog>
  );
}

function Fields({ form }: { form: Form<EndpointValues> }) {
  const t = useTexts(texts);
  return (
    <>
      <TextInput
        label={t("url")}
        description={t("urlHint")}
        placeholder={EXAMPLE}
        spellCheck={false}
        data-autofocus
        {...form.text("url")}
      />
      <TextInput label={t("description")} {...form.text("description")} />
      <Radio.Group
        label={t("events")}
        value={form.values.every ? "all" : "some"}
        onChange={(value) => form.set("every", value === "all")}
        error={form.errorOf("types")}
      >
        <Stack gap={8} mt="xs">
          <Radio value="all" label={t("all")} />
          <Radio value="some" label={t("some")} />
        </Stack>
      </Radio.Group>
      {!form.values.every && <EventTypes chosen={form.values.types} onChange={(types) => form.set("types", types)} />}
    </>
  );
}
