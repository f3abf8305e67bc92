import { FileInput } from "@mantine/core";
import { queries } from "../../platform/call/queries.ts";
import { useWorkspace } from "../../platform/call/workspace.ts";
import { FormDialog } from "../../platform/form/dialog.tsx";
import { useForm } from "../../platform/form/form.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { Source } from "../../platform/look/parts.tsx";
import { texts } from "./texts.ts";

const EXAMPLE = "address,channel,reason\nada@example.com,email,complaint\n+4915112345678,sms,stop";

/** Sends a file. How far the service came with it is shown by LastImport, also after the page was left. */
export function ImportFile({ onClose }: { onClose: () => void }) {
  const t = useTexts(texts);
  const open = useWorkspace();
  const form = useForm({ file: null as File | null }, async ({ file }) => {
    if (!file) return;
    await open.call("POST", "/suppressions/import", {
      file: { type: "text/csv", content: file },
      headers: { prefer: "respond-async" },
    });
    await queries.invalidateQueries({ queryKey: [open.id, "/imports"] });
    onClose();
  });
  return (
    <FormDialog title={t("importTitle")} form={form} yes={t("import")} onClose={onClose}>
      <p className="quiet">{t("importLead")}</p>
      <Source text={EXAMPLE} />
      <FileInput
        label={t("file")}
        placeholder={t("choose")}
        accept=".csv,text/csv"
        required
        withAsterisk={false}
        clearable
        value={form.values.file}
        onChange={(file) => form.set("file", file)}
        error={form.errorOf("file")}
      />
    </FormDialog>
  );
}
