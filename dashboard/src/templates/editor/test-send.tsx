import { Button, TextInput } from "@mantine/core";
import { useState } from "react";
import { SentDelivery } from "../../activity/sent-delivery.tsx";
import { mayEdit, useWorkspace } from "../../platform/call/workspace.ts";
import { FoldedCall } from "../../platform/code/as-call.tsx";
import { useForm } from "../../platform/form/form.ts";
import { FormProblem } from "../../platform/form/parts.tsx";
import { useTexts } from "../../platform/language/texts.ts";
import { Section } from "../../platform/look/parts.tsx";
import { texts as states } from "../../platform/states/texts.ts";
import css from "./editor.module.css";
import { texts } from "./texts.ts";
import { dataOf, type PreviewFor } from "./use-preview.ts";

interface TestSendProps {
  id: string;
  /** Whom the preview is for: the test is what they would get. */
  reader: PreviewFor;
  /** Whether something is typed that is not saved: only what is saved is sent. */
  dirty: boolean;
}

/** Sends the template as the person of the preview would get it: to them, or to another address. */
export function TestSend({ id, reader: { person, data }, dirty }: TestSendProps) {
  const t = useTexts(texts);
  const say = useTexts(states);
  const open = useWorkspace();
  const off = !mayEdit(open);
  const [sent, setSent] = useState<string>();
  const path = `/email-templates/${id}/test-sends`;
  const bodyTo = (to: string) => ({
    person_id: person,
    message_data: dataOf(data) ?? {},
    ...(to.trim() && { to: to.trim() }),
  });
  const form = useForm({ to: "" }, async ({ to }) => {
    setSent(undefined);
    const answer = await open.call<{ delivery_id: string }>("POST", path, { body: bodyTo(to) });
    setSent(answer.body.delivery_id);
  });
  return (
    <Section title={t("testSend")}>
      <form onSubmit={form.onSubmit} className={css.testSend}>
        <p className="quiet">
          {off ? say("onlyRead") : person ? t("testSendAs", { person }) : t("testSendWho")}{" "}
          {dirty && t("testSendSaved")}
        </p>
        {!off && (
          <div className={css.testTo}>
            <TextInput
              label={t("testSendTo")}
              placeholder={t("testSendOwn")}
              type="email"
              maxLength={400}
              {...form.text("to")}
            />
            <Button
              type="submit"
              variant="default"
              loading={form.busy}
              disabled={person === "" || dataOf(data) === undefined}
            >
              {t("testSendNow")}
            </Button>
          </div>
        )}
        <FormProblem problem={form.problem} />
        {!off && person !== "" && (
          <FoldedCall
            of={{
              method: "POST",
              path: `/api/v1${path}`,
              node: "emailTemplates.testSends",
              ids: [id],
              body: bodyTo(form.values.to),
            }}
          />
        )}
      </form>
      <SentDelivery id={sent} />
    </Section>
  );
}
