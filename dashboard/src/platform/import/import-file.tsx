import { FileInput, Progress } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { queries } from "../call/queries.ts";
import { upload } from "../call/upload.ts";
import { useWorkspace } from "../call/workspace.ts";
import { FormDialog } from "../form/dialog.tsx";
import { useForm } from "../form/form.ts";
import { useFormat } from "../language/format.ts";
import { useTexts } from "../language/texts.ts";
import { Source } from "../look/parts.tsx";
import { texts } from "./texts.ts";

interface ImportFileProps {
  title: string;
  /** What the file has to contain. */
  lead: string;
  example: string;
  /** Where it is sent. */
  path: string;
  onClose: () => void;
}

/** Sends a file. How far the service came with it is shown by LastImport, also after the page was left. */
export function ImportFile({ title, lead, example, path, onClose }: ImportFileProps) {
  const t = useTexts(texts);
  const format = useFormat();
  const open = useWorkspace();
  const [sent, setSent] = useState(0);
  const underWay = useRef<AbortController>(undefined);
  // Whoever closes the dialog before all of the file is sent has called it off.
  useEffect(() => () => underWay.current?.abort(), []);
  const form = useForm({ file: null as File | null }, async ({ file }) => {
    if (!file) return;
    underWay.current = new AbortController();
    await upload({
      workspace: open.id,
      path,
      body: file,
      headers: { "content-type": "text/csv", prefer: "respond-async" },
      onProgress: setSent,
      signal: underWay.current.signal,
    });
    await queries.invalidateQueries({ queryKey: [open.id, "/imports"] });
    onClose();
  });
  return (
    <FormDialog title={title} form={form} yes={t("import")} onClose={onClose}>
      <p className="quiet">{lead}</p>
      <Source text={example} />
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
      {form.busy && <Progress value={sent * 100} aria-label={t("sending", { share: format.percent(sent) })} />}
    </FormDialog>
  );
}
