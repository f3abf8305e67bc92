import { ActionIcon, Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { PersonField } from "../../find-person/person-field.tsx";
import { queries, useList } from "../../platform/call/queries.ts";
import { mayEdit, useWorkspace } from "../../platform/call/workspace.ts";
import { FormProblem } from "../../platform/form/parts.tsx";
import { ImportFile } from "../../platform/import/import-file.tsx";
import { LastImport } from "../../platform/import/last-import.tsx";
import { useTexts } from "../../platform/language/texts.ts";
import { More } from "../../platform/list/more.tsx";
import { Icon } from "../../platform/look/icons.tsx";
import { Item, Lines, List, Section } from "../../platform/look/parts.tsx";
import { Answer, Loading } from "../../platform/states/states.tsx";
import { tell, tellFault } from "../../platform/states/toasts.tsx";
import type { Audience } from "../audience.ts";
import css from "../audiences.module.css";
import { texts } from "./texts.ts";

interface Member {
  person_id: string;
  email: string | null;
  phone: string | null;
}
const FEW = 20;
const EXAMPLE = "person_id\ncus_4101\ncus_4138";

/** Who is in the audience now. People are put on a list one by one, or from a file. */
export function Members({ of: { id, kind } }: { of: Audience }) {
  const t = useTexts(texts);
  const open = useWorkspace();
  const may = mayEdit(open) && kind === "list";
  const path = `/audiences/${id}/members`;
  const list = useList<Member>(path, { limit: FEW });
  const [importing, setImporting] = useState(false);
  const again = () => void queries.invalidateQueries({ queryKey: [open.id, path] });
  const remove = async (person: string) => {
    try {
      await open.call("DELETE", `${path}/${encodeURIComponent(person)}`);
      again();
    } catch (error) {
      tellFault(error as Error);
    }
  };
  return (
    <Section title={t("members")} aside={<Ways id={id} {...(may && { onImport: () => setImporting(true) })} />}>
      {kind === "list" && <LastImport kind="audience" target={id} onProgress={again} />}
      {may && <AddPerson path={path} onAdded={again} />}
      <Answer of={list} loading={<Loading rows={4} />}>
        {() =>
          list.rows.length === 0 ? (
            <p className="quiet">{t(kind === "list" ? "emptyList" : "nobody")}</p>
          ) : (
            <List>
              {list.rows.map((member) => (
                <Row key={member.person_id} member={member} {...(may && { onRemove: remove })} />
              ))}
            </List>
          )
        }
      </Answer>
      <More list={list} />
      {importing && (
        <ImportFile
          title={t("importTitle")}
          lead={t("importLead")}
          example={EXAMPLE}
          path={`/audiences/${id}/import`}
          onClose={() => setImporting(false)}
        />
      )}
    </Section>
  );
}

/** Everybody in the room of people, and files of them. */
function Ways({ id, onImport }: { id: string; onImport?: () => void }) {
  const t = useTexts(texts);
  const { id: workspace } = useWorkspace();
  return (
    <span className={css.ways}>
      <Link to="/w/$workspace/people" params={{ workspace: workspace }} search={{ audience: id }}>
        {t("showAll")}
      </Link>
      <Button
        component="a"
        size="xs"
        variant="default"
        className={css.export ?? ""}
        href={`/api/v1/audiences/${id}/export?workspace=${workspace}`}
        download="audience.csv"
      >
        {t("export")}
      </Button>
      {onImport && (
        <Button size="xs" variant="default" onClick={onImport}>
          {t("import")}
        </Button>
      )}
    </span>
  );
}

function Row({ member, onRemove }: { member: Member; onRemove?: (person: string) => void }) {
  const t = useTexts(texts);
  const { id: workspace } = useWorkspace();
  const { person_id: person, email, phone } = member;
  return (
    <Item>
      <Lines>
        <Link to="/w/$workspace/people/$person" params={{ workspace, person }}>
          {person}
        </Link>
        <span className="quiet">{email ?? phone ?? t("noAddress")}</span>
      </Lines>
      {onRemove && (
        <ActionIcon
          variant="subtle"
          color="gray"
          size={28}
          onClick={() => onRemove(person)}
          aria-label={t("takeOff", { person })}
        >
          <Icon name="close" size={14} />
        </ActionIcon>
      )}
    </Item>
  );
}

function AddPerson({ path, onAdded }: { path: string; onAdded: () => void }) {
  const t = useTexts(texts);
  const { call } = useWorkspace();
  const [person, setPerson] = useState("");
  const [problem, setProblem] = useState<Error>();
  const [busy, setBusy] = useState(false);
  const add = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      await call("PUT", `${path}/${encodeURIComponent(person)}`);
      tell(t("added", { person }));
      setPerson("");
      onAdded();
    } catch (error) {
      setProblem(error as Error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className={css.adding}>
      <div className={css.addingField}>
        <PersonField label={t("addPerson")} value={person} onChange={setPerson} />
      </div>
      <Button variant="default" disabled={person === ""} loading={busy} onClick={() => void add()}>
        {t("add")}
      </Button>
      <FormProblem problem={problem} />
    </div>
  );
}
