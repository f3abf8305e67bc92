import { Button, Group } from "@mantine/core";
import { useTexts } from "../../platform/language/texts.ts";
import { Copy } from "../../platform/states/copy.tsx";
import css from "../members.module.css";
import { texts } from "../texts.ts";

/** The codes in place of the authenticator, the one time that they are shown. */
export function RecoveryCodes({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  const t = useTexts(texts);
  const text = codes.join("\n");
  return (
    <>
      <p>{t("recoveryLead")}</p>
      <ul className={css.codes}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <Group justify="space-between" mt="md">
        <Group gap="xs">
          <Button
            variant="default"
            component="a"
            className={css.download ?? ""}
            href={`data:text/plain;charset=utf-8,${encodeURIComponent(`${text}\n`)}`}
            download="tidings-recovery-codes.txt"
          >
            {t("download")}
          </Button>
          <Copy value={text} what={t("recovery")} />
        </Group>
        <Button onClick={onClose}>{t("done")}</Button>
      </Group>
    </>
  );
}
