import { TextInput } from "@mantine/core";
import { useState } from "react";
import { Ask } from "../../platform/ask.tsx";
import { useWorkspace } from "../../platform/call/workspace.ts";
import { useTexts } from "../../platform/language/texts.ts";
import css from "../people.module.css";
import { texts } from "../texts.ts";

interface EraseProps {
  person: string;
  onClose: () => void;
  onDone: () => Promise<void>;
}

/** Erases a person, after the id was typed: the dialog says what goes, and what stays. */
export function Erase({ person, onClose, onDone }: EraseProps) {
  const t = useTexts(texts);
  const { call } = useWorkspace();
  const [typed, setTyped] = useState("");
  return (
    <Ask
      title={t("eraseTitle", { person })}
      yes={t("eraseYes")}
      bad
      ready={typed.trim() === person}
      onClose={onClose}
      onYes={async () => {
        await call("DELETE", `/people/${encodeURIComponent(person)}`);
        await onDone();
      }}
    >
      <ul className={css.follows}>
        <li>{t("eraseGoes")}</li>
        <li>{t("eraseCancels")}</li>
        <li>{t("eraseStays")}</li>
        <li>{t("eraseLater")}</li>
      </ul>
      <p>
        <strong>{t("noUndo")}</strong> {t("eraseExport")}
      </p>
      <TextInput
        label={t("eraseType", { person })}
        autoComplete="off"
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        mb="sm"
      />
    </Ask>
  );
}
