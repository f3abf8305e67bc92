import { Button, Group } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Delivery } from "../../activity/delivery.ts";
import { Status } from "../../activity/status.tsx";
import { PersonField } from "../../find-person/person-field.tsx";
import { useRead } from "../../platform/call/queries.ts";
import { useWorkspace } from "../../platform/call/workspace.ts";
import { FoldedCall } from "../../platform/code/as-call.tsx";
import { FormProblem } from "../../platform/form/parts.tsx";
import { useTexts } from "../../platform/language/texts.ts";
import { Item, Lines, List, Section } from "../../platform/look/parts.tsx";
import { type Broadcast, pathOf } from "../broadcast.ts";
import { type ChosenEdition, EditionChoice, editionBody } from "../preview/edition-choice.tsx";
import { texts } from "./texts.ts";

interface Sent {
  id: string;
  person: string;
}

/** Sends it to one person, and says what becomes of it. */
export function TestSend({ broadcast, off }: { broadcast: Broadcast; off: boolean }) {
  const t = useTexts(texts);
  const { call } = useWorkspace();
  const [person, setPerson] = useState("");
  const [edition, setEdition] = useState<ChosenEdition>({});
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Error>();
  const [sent, setSent] = useState<readonly Sent[]>([]);
  const path = `${pathOf(broadcast.id)}/test-sends`;
  const body = { person_id: person, ...editionBody(edition) };
  const send = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      const answer = await call<{ delivery_id: string }>("POST", path, { body });
      setSent((before) => [{ id: answer.body.delivery_id, person }, ...before]);
    } catch (error) {
      setProblem(error as Error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Section title={t("test")}>
      <p className="quiet">{t("testLead")}</p>
      <Group align="flex-end" gap="sm">
        <PersonField label={t("testTo")} value={person} onChange={setPerson} />
        <EditionChoice broadcast={broadcast} value={edition} onChange={setEdition} />
        <Button variant="default" disabled={off || person === ""} loading={busy} onClick={() => void send()}>
          {t("testSend")}
        </Button>
      </Group>
      <FormProblem problem={problem} />
      {person !== "" && (
        <FoldedCall
          of={{ method: "POST", path: `/api/v1${path}`, node: "broadcasts.testSends", ids: [broadcast.id], body }}
        />
      )}
      {sent.length > 0 && (
        <List>
          {sent.map((one) => (
            <OneTest key={one.id} of={one} />
          ))}
        </List>
      )}
    </Section>
  );
}

function OneTest({ of: { id, person } }: { of: Sent }) {
  const t = useTexts(texts);
  const { id: workspace } = useWorkspace();
  const { data } = useRead<Delivery>(`/deliveries/${id}`);
  return (
    <Item>
      <Lines>
        <Link to="/w/$workspace/deliveries" params={{ workspace }} search={{ open: id }}>
          {t("testQueued", { person })}
        </Link>
        {data?.reason && <span className="quiet">{data.reason}</span>}
      </Lines>
      {data && <Status of={data.status} />}
    </Item>
  );
}
