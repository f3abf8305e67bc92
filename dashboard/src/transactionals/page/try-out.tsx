import type { Triggered } from "@tidings/contract/messages/transactionals";
import { Button, JsonInput, Stack } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { SentDelivery } from "../../activity/sent-delivery.tsx";
import { PersonField } from "../../find-person/person-field.tsx";
import { useRead } from "../../platform/call/queries.ts";
import { mayEdit, useWorkspace } from "../../platform/call/workspace.ts";
import { useForm } from "../../platform/form/form.ts";
import { FormProblem } from "../../platform/form/parts.tsx";
import { useTexts } from "../../platform/language/texts.ts";
import { Note, Section } from "../../platform/look/parts.tsx";
import { texts as states } from "../../platform/states/texts.ts";
import type { Transactional } from "../form/values.ts";
import { texts } from "../texts.ts";
import css from "../transactionals.module.css";
import { completed, type DataSchema, dataOf } from "./sample-data.ts";

/** Sends it to a person, as a call of the application would. */
export function TryOut({ of }: { of: Transactional }) {
  const t = useTexts(texts);
  const say = useTexts(states);
  const open = useWorkspace();
  const off = !mayEdit(open);
  const contract = useRead<DataSchema>(`/transactionals/${of.id}/contract`).data;
  const [sent, setSent] = useState<Triggered>();
  const form = useForm({ person_id: "", message_data: "" }, async ({ person_id, message_data }) => {
    const data = dataOf(message_data);
    if (!data) throw new Error(t("noJson"));
    setSent(undefined);
    const body = { person_id, message_data: data };
    setSent((await open.call<Triggered>("POST", `/transactionals/${of.id}/send`, { body })).body);
  });
  const { set } = form;
  /** Whether somebody wrote data, or the example of the contract is there. */
  const filled = useRef(false);
  // Once, before anything is typed: data that the contract accepts.
  useEffect(() => {
    if (filled.current || !contract?.properties) return;
    filled.current = true;
    set("message_data", JSON.stringify(completed({}, contract), null, 2));
  }, [contract, set]);
  const { person_id, message_data } = form.values;
  return (
    <Section title={t("tryOut")}>
      <form onSubmit={form.onSubmit}>
        <Stack gap="md" align="stretch">
          <p className={css.lead}>{off ? say("onlyRead") : t("tryOutLead")}</p>
          {!off && (
            <>
              <PersonField label={t("person")} value={person_id} onChange={(person) => set("person_id", person)} />
              {form.errorOf("person_id") && <Note tone="bad">{form.errorOf("person_id")}</Note>}
              <JsonInput
                label={t("data")}
                name="message_data"
                autosize
                maxRows={12}
                value={message_data}
                onChange={(text) => {
                  filled.current = true;
                  set("message_data", text);
                }}
                error={form.errorOf("message_data") ?? (dataOf(message_data) === undefined && t("noJson"))}
                classNames={{ input: css.json ?? "" }}
              />
              <FormProblem problem={form.problem} />
              <div>
                <Button type="submit" loading={form.busy} disabled={person_id === ""}>
                  {t("send")}
                </Button>
              </div>
            </>
          )}
        </Stack>
      </form>
      <SentDelivery id={sent?.delivery_id} />
    </Section>
  );
}
