import { Button } from "@mantine/core";
import { useState } from "react";
import { PersonField } from "../../find-person/person-field.tsx";
import { mayEdit, useWorkspace } from "../../platform/call/workspace.ts";
import { FoldedCall } from "../../platform/code/as-call.tsx";
import { FormProblem } from "../../platform/form/parts.tsx";
import { useTexts } from "../../platform/language/texts.ts";
import { Icon } from "../../platform/look/icons.tsx";
import { Note, Section } from "../../platform/look/parts.tsx";
import { useAllowed } from "../list/off-note.tsx";
import { type Message, pathOf } from "../message.ts";
import { texts } from "./texts.ts";
import { Trace } from "./trace.tsx";
import css from "./try-out.module.css";

interface TryOutProps {
  message: Message;
  /** Whether the form has changes that are not saved. A test sends only what is saved. */
  dirty: boolean;
}

const callOf = (id: string, person: string) => ({
  method: "POST" as const,
  path: `/api/v1${pathOf(id)}/test-sends`,
  node: "inAppMessages.testSends",
  ids: [id],
  body: { person_id: person },
});

/** Sends the message to one person, and follows what becomes of it. */
export function TryOut({ message: { id, version }, dirty }: TryOutProps) {
  const t = useTexts(texts);
  const open = useWorkspace();
  const allowed = useAllowed();
  const [person, setPerson] = useState("");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Error>();
  const [sent, setSent] = useState<string>();
  const may = mayEdit(open) && allowed !== false;
  const send = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      const { body } = await open.call<{ delivery_id: string }>("POST", `${pathOf(id)}/test-sends`, {
        body: { person_id: person },
      });
      setSent(body.delivery_id);
    } catch (error) {
      setProblem(error as Error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Section title={t("tryOut")}>
      <div className={css.group}>
        {allowed === false ? (
          <Note tone="warn">{t("off")}</Note>
        ) : (
          <p className={css.lead}>{mayEdit(open) ? t(dirty ? "dirty" : "lead", { version }) : t("mayNot")}</p>
        )}
        {may && (
          <div className={css.line}>
            <div className={css.person}>
              <PersonField label={t("person")} value={person} onChange={setPerson} />
            </div>
            <Button
              variant="default"
              leftSection={<Icon name="send" size={14} />}
              disabled={dirty || person === ""}
              loading={busy}
              onClick={() => void send()}
            >
              {t("send")}
            </Button>
          </div>
        )}
        <FormProblem problem={problem} />
        {may && person !== "" && <FoldedCall of={callOf(id, person)} />}
        {sent && <Trace key={sent} message={id} delivery={sent} />}
      </div>
    </Section>
  );
}
