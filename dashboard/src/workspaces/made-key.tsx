import { Button, Group, Modal } from "@mantine/core";
import { useTexts } from "../platform/language/texts.ts";
import { Copy } from "../platform/states/copy.tsx";
import css from "./workspaces.module.css";
import { texts } from "./texts.ts";

/** The one time that a key is shown. A click beside the dialog does not close it. */
export function MadeKey({ value, onClose }: { value: string; onClose: () => void }) {
  const t = useTexts(texts);
  return (
    <Modal
      opened
      onClose={onClose}
      title={t("madeTitle")}
      closeOnClickOutside={false}
      withCloseButton={false}
      size="lg"
    >
      <p className="quiet">{t("madeBody")}</p>
      <div className={css.secret}>
        <code>{value}</code>
        <Copy value={value} what={t("keys")} />
      </div>
      <Group justify="flex-end" mt="md">
        <Button onClick={onClose}>{t("done")}</Button>
      </Group>
    </Modal>
  );
}
