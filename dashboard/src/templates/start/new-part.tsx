import { SegmentedControl, TextInput } from "@mantine/core";
import { useWorkspace } from "../../platform/call/workspace.ts";
import { FormDialog } from "../../platform/form/dialog.tsx";
import { useForm } from "../../platform/form/form.ts";
import { useTexts } from "../../platform/language/texts.ts";
import type { Layout, Snippet } from "../template.ts";
import { texts } from "../texts.ts";
import { starterLayout } from "./starters.ts";

interface NewPartProps {
  onClose: () => void;
  onMade: (id: string) => void;
}

/** Makes a layout with a first text. */
export function NewLayout({ onClose, onMade }: NewPartProps) {
  const t = useTexts(texts);
  const { call } = useWorkspace();
  const bodyOf = ({ name, format }: { name: string; format: Layout["format"] }) => ({
    name,
    format,
    body: starterLayout(format, t),
  });
  const form = useForm({ name: "", format: "mjml" as Layout["format"] }, async (values) => {
    onMade((await call<Layout>("POST", "/email-layouts", { body: bodyOf(values) })).body.id);
  });
  return (
    <FormDialog
      title={t("new_layouts")}
      form={form}
      yes={t("create")}
      onClose={onClose}
      asCall={{ method: "POST", path: "/api/v1/email-layouts", node: "emailLayouts.create", body: bodyOf(form.values) }}
    >
      <TextInput label={t("name")} required maxLength={200} data-autofocus {...form.text("name")} />
      <SegmentedControl
        aria-label={t("format")}
        value={form.values.format}
        onChange={(value) => form.set("format", value as Layout["format"])}
        data={[
          { value: "mjml", label: "MJML" },
          { value: "html", label: "HTML" },
        ]}
      />
    </FormDialog>
  );
}

/** Makes a snippet with a first text. */
export function NewSnippet({ onClose, onMade }: NewPartProps) {
  const t = useTexts(texts);
  const { call } = useWorkspace();
  const bodyOf = ({ name }: { name: string }) => ({ name, body: t("starter_text") });
  const form = useForm({ name: "" }, async (values) => {
    onMade((await call<Snippet>("POST", "/snippets", { body: bodyOf(values) })).body.id);
  });
  return (
    <FormDialog
      title={t("new_snippets")}
      form={form}
      yes={t("create")}
      onClose={onClose}
      asCall={{ method: "POST", path: "/api/v1/snippets", node: "snippets.create", body: bodyOf(form.values) }}
    >
      <TextInput
        label={t("name")}
        description={t("snippetName")}
        required
        maxLength={64}
        data-autofocus
        autoCapitalize="none"
        {...form.text("name")}
      />
    </FormDialog>
  );
}
