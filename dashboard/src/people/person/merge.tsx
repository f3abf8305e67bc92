import { useState } from "react";
import { Ask } from "../../platform/ask.tsx";
import { useWorkspace } from "../../platform/call/workspace.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { PersonField } from "../../find-person/person-field.tsx";
import css from "../people.module.css";
import { texts } from "../texts.ts";

interface MergeProps {
  /** The person who goes. */
  person: string;
  onClose: () => void;
  onDone: (into: string) => Promise<void>;
}

/** Merges a person into another one, whom somebody chooses: the dialog says what becomes of everything. */
export function Merge({ person, onClose, onDone }: MergeProps) {
  const t = useTexts(texts);
  const { call } = useWorkspace();
  const [into, setInto] = useState("");
  return (
    <Ask
      title={t("mergeTitle", { person })}
      yes={t("mergeYes")}
      bad
      ready={into !== "" && into !== person}
      onClose={onClose}
      onYes={async () => {
        await call("POST", `/people/${encodeURIComponent(person)}/merge`, { body: { into } });
        await onDone(into);
      }}
    >
      <PersonField label={t("mergeInto")} value={into} onChange={setInto} />
      <ul className={css.follows}>
        <li>{t("mergeAttributes")}</li>
        <li>{t("mergeSubscriptions")}</li>
        <li>{t("mergeRest")}</li>
        <li>{t("mergeGone", { person })}</li>
      </ul>
      <p>
        <strong>{t("noUndo")}</strong>
      </p>
    </Ask>
  );
}
