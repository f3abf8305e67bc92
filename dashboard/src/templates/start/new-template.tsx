import { Radio, Stack, TextInput } from "@mantine/core";
import { useWorkspace } from "../../platform/call/workspace.ts";
import { FormDialog } from "../../platform/form/dialog.tsx";
import { useForm } from "../../platform/form/form.ts";
import { useTexts } from "../../platform/language/texts.ts";
import type { Template } from "../template.ts";
import { TemplateField } from "../template-field.tsx";
import { texts } from "../texts.ts";
import { LayoutSelect, useLayouts } from "./layout-select.tsx";
import { starterBody } from "./starters.ts";

const starts = ["mjml", "html", "copy"] as const;

interface NewTemplateProps {
  onClose: () => void;
  onMade: (template: Template) => void;
}

/** Makes a template: empty, or as a copy of another. Everything else is written on its page. */
export function NewTemplate({ onClose, onMade }: NewTemplateProps) {
  const t = useTexts(texts);
  const { call } = useWorkspace();
  const layouts = useLayouts();
  const empty = { name: "", subject: "", start: "mjml" as (typeof starts)[number], layout_id: "", copy: "" };
  const form = useForm(empty, async ({ name, subject, start, layout_id, copy }) => {
    if (start === "copy") {
      if (!copy) throw new Error(t("copyMissing"));
      const { body: of } = await call<Template>("GET", `/email-templates/${copy}`);
      const { preheader, body, format, plaintext, layout_id: layout, from, reply_to } = of;
      const made = { name, subject, preheader, body, format, plaintext, layout_id: layout, from, reply_to };
      onMade((await call<Template>("POST", "/email-templates", { body: made })).body);
      return;
    }
    const layout = layouts.data?.data.find(({ id }) => id === layout_id);
    const format = layout?.format ?? start;
    const made = { name, subject, format, layout_id: layout_id || null, body: starterBody(format, Boolean(layout), t) };
    onMade((await call<Template>("POST", "/email-templates", { body: made })).body);
  });
  const { start, layout_id, copy } = form.values;
  const layout = layouts.data?.data.find(({ id }) => id === layout_id);
  return (
    <FormDialog title={t("new_templates")} form={form} yes={t("create")} onClose={onClose}>
      <TextInput label={t("name")} required maxLength={200} data-autofocus {...form.text("name")} />
      <TextInput label={t("subject")} required maxLength={2_000} {...form.text("subject")} />
      <Radio.Group
        label={t("startFrom")}
        value={start}
        onChange={(value) => form.set("start", value as typeof start)}
        description={layout && start !== "copy" ? t("inLayout", { format: layout.format.toUpperCase() }) : undefined}
      >
        <Stack gap="xs" mt="xs">
          {starts.map((one) => (
            <Radio
              key={one}
              value={one}
              label={t(`start_${one}`)}
              description={one === "copy" ? undefined : t(`start_${one}Hint`)}
              disabled={one !== "copy" && layout !== undefined && layout.format !== one}
            />
          ))}
        </Stack>
      </Radio.Group>
      {start === "copy" ? (
        <TemplateField label={t("copyOf")} value={copy} onChange={(id) => form.set("copy", id)} links={false} />
      ) : (
        <LayoutSelect
          value={layout_id}
          onChange={(id) => form.set("layout_id", id)}
          error={form.errorOf("layout_id")}
        />
      )}
    </FormDialog>
  );
}
