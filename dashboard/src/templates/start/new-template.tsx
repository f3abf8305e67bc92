import { Radio, Stack, TextInput } from "@mantine/core";
import type { Format } from "@tidings/contract/messages/templates";
import { lazy, Suspense, useState } from "react";
import { useWorkspace } from "../../platform/call/workspace.ts";
import { FormDialog } from "../../platform/form/dialog.tsx";
import { useForm } from "../../platform/form/form.ts";
import { type Say, useTexts } from "../../platform/language/texts.ts";
import { Loading } from "../../platform/states/states.tsx";
import type { Chosen } from "../gallery/gallery.tsx";
import type { Template } from "../template.ts";
import { TemplateField } from "../template-field.tsx";
import { texts } from "../texts.ts";
import { LayoutSelect, useLayouts } from "./layout-select.tsx";
import { starterBody } from "./starters.ts";

const starts = ["gallery", "mjml", "html", "copy"] as const;
// With the canvas that draws its pictures.
const Gallery = lazy(() => import("../gallery/gallery.tsx").then(({ Gallery: one }) => ({ default: one })));

interface NewTemplateProps {
  onClose: () => void;
  onMade: (template: Template) => void;
}

const EMPTY = { name: "", subject: "", start: "gallery" as (typeof starts)[number], layout_id: "", copy: "" };

interface Given {
  call: ReturnType<typeof useWorkspace>["call"];
  t: Say<typeof texts>;
  layout: { format: Format } | undefined;
  chosen: Chosen | undefined;
}

/** The texts of the new template, as far as they are known without another one. */
function textsHere(values: typeof EMPTY, { t, layout, chosen }: Omit<Given, "call">): object | undefined {
  const { name, subject, start, layout_id } = values;
  if (start === "copy") return undefined;
  if (start === "gallery") return chosen && { name, subject, preheader: chosen.preheader, body: chosen.body };
  const format = layout?.format ?? start;
  return { name, subject, format, layout_id: layout_id || null, body: starterBody(format, Boolean(layout), t) };
}

/** Returns the texts of the new template; those of a copy are read. @throws where nothing is chosen yet */
async function textsFor(values: typeof EMPTY, { call, ...given }: Given): Promise<object> {
  const { name, subject, start, copy } = values;
  const here = textsHere(values, given);
  if (here) return here;
  if (start === "gallery") throw new Error(given.t("galleryMissing"));
  if (!copy) throw new Error(given.t("copyMissing"));
  const { body: of } = await call<Template>("GET", `/email-templates/${copy}`);
  const { preheader, body, format, plaintext, layout_id: around, from, reply_to } = of;
  return { name, subject, preheader, body, format, plaintext, layout_id: around, from, reply_to };
}

/** Makes a template: from the gallery, empty, or as a copy of another. Everything else is written on its page. */
export function NewTemplate({ onClose, onMade }: NewTemplateProps) {
  const t = useTexts(texts);
  const { call } = useWorkspace();
  const layouts = useLayouts();
  const [chosen, setChosen] = useState<Chosen>();
  const form = useForm(EMPTY, async (values) => {
    onMade(
      (await call<Template>("POST", "/email-templates", { body: await textsFor(values, { call, t, layout, chosen }) }))
        .body,
    );
  });
  const { start, layout_id, copy } = form.values;
  const layout = layouts.data?.data.find(({ id }) => id === layout_id);
  const body = textsHere(form.values, { t, layout, chosen });
  const choose = (one: Chosen) => {
    // What was typed stays; what an earlier choice wrote does not.
    for (const field of ["name", "subject"] as const)
      if (!form.values[field] || form.values[field] === chosen?.[field]) form.set(field, one[field]);
    setChosen(one);
  };
  return (
    <FormDialog
      title={t("new_templates")}
      form={form}
      yes={t("create")}
      onClose={onClose}
      size={start === "gallery" ? 744 : "md"}
      asCall={body && { method: "POST", path: "/api/v1/email-templates", node: "emailTemplates.create", body }}
    >
      <TextInput label={t("name")} required maxLength={200} data-autofocus {...form.text("name")} />
      <TextInput label={t("subject")} required maxLength={2_000} {...form.text("subject")} />
      <Radio.Group
        label={t("startFrom")}
        value={start}
        onChange={(value) => form.set("start", value as typeof start)}
        description={
          layout && (start === "mjml" || start === "html")
            ? t("inLayout", { format: layout.format.toUpperCase() })
            : undefined
        }
      >
        <Stack gap="xs" mt="xs">
          {starts.map((one) => (
            <Radio
              key={one}
              value={one}
              label={t(`start_${one}`)}
              description={one === "copy" ? undefined : t(`start_${one}Hint`)}
              disabled={(one === "mjml" || one === "html") && layout !== undefined && layout.format !== one}
            />
          ))}
        </Stack>
      </Radio.Group>
      {start === "gallery" && (
        <Suspense fallback={<Loading rows={4} height={80} />}>
          <Gallery value={chosen?.key} onChoose={choose} />
        </Suspense>
      )}
      {start === "copy" && (
        <TemplateField label={t("copyOf")} value={copy} onChange={(id) => form.set("copy", id)} links={false} />
      )}
      {(start === "mjml" || start === "html") && (
        <LayoutSelect
          value={layout_id}
          onChange={(id) => form.set("layout_id", id)}
          error={form.errorOf("layout_id")}
        />
      )}
    </FormDialog>
  );
}
