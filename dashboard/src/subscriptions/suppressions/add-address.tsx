import { NativeSelect, SegmentedControl, TextInput } from "@mantine/core";
import { useWorkspace } from "../../platform/call/workspace.ts";
import { FormDialog } from "../../platform/form/dialog.tsx";
import { useForm } from "../../platform/form/form.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { tell } from "../../platform/states/toasts.tsx";
import { channels, reasons } from "./filters.ts";
import { texts } from "./texts.ts";

export function AddAddress({ onClose, onAdded }: { onClose: () => void; onAdded: () => void }) {
  const t = useTexts(texts);
  const { call } = useWorkspace();
  const form = useForm({ channel: "email", address: "", reason: "manual" }, async (body) => {
    await call("POST", "/suppressions", { body });
    tell(t("added"));
    onAdded();
    onClose();
  });
  const { channel, reason } = form.values;
  return (
    <FormDialog title={t("addTitle")} form={form} yes={t("add")} onClose={onClose}>
      <p className="quiet">{t("addLead")}</p>
      <SegmentedControl
        aria-label={t("channel")}
        value={channel}
        onChange={(value) => form.set("channel", value)}
        data={channels.map((value) => ({ value, label: t(value) }))}
      />
      <TextInput
        label={t(channel === "email" ? "emailAddress" : "number")}
        required
        withAsterisk={false}
        data-autofocus
        {...form.text("address")}
      />
      <NativeSelect
        label={t("reason")}
        value={reason}
        onChange={(event) => form.set("reason", event.currentTarget.value)}
        data={reasons.map((value) => ({ value, label: t(value) }))}
      />
    </FormDialog>
  );
}
