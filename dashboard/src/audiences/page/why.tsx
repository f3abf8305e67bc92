import type { AudienceVerdict, ConditionResult } from "@tidings/contract/audience/audiences";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Static } from "typebox";
import { PersonField } from "../../find-person/person-field.tsx";
import { useRead } from "../../platform/call/queries.ts";
import { isRefusal } from "../../platform/call/refusal.ts";
import { useWorkspace } from "../../platform/call/workspace.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { Icon } from "../../platform/look/icons.tsx";
import { Badge, Note, Section } from "../../platform/look/parts.tsx";
import { Answer, Loading } from "../../platform/states/states.tsx";
import css from "../audiences.module.css";
import { texts } from "./texts.ts";
import { becauseOf, useVerdictWords } from "./verdict-words.ts";

/** Why one person is in the audience, or is not: each condition with its result. */
export function Why({ id }: { id: string }) {
  const t = useTexts(texts);
  const [person, setPerson] = useState("");
  return (
    <Section title={t("why")}>
      <PersonField label={t("person")} value={person} onChange={setPerson} />
      <p className="quiet">{t("whySaved")}</p>
      {person && <Verdict id={id} person={person} />}
    </Section>
  );
}

function Verdict({ id, person }: { id: string; person: string }) {
  const t = useTexts(texts);
  const { id: workspace } = useWorkspace();
  const read = useRead<Static<typeof AudienceVerdict>>(`/audiences/${id}/people/${encodeURIComponent(person)}`);
  if (isRefusal(read.error, "person_not_found")) return <Note tone="plain">{t("unknownPerson", { person })}</Note>;
  return (
    <Answer of={read} loading={<Loading rows={3} />}>
      {({ in: isIn, verdict }) => (
        <div className={css.verdict} role="status">
          <p className={css.because}>
            <Badge tone={isIn ? "good" : "plain"}>{t(isIn ? "isIn" : "isOut")}</Badge>
            <Link to="/w/$workspace/people/$person" params={{ workspace, person }}>
              {person}
            </Link>
          </p>
          <Results verdict={verdict} />
        </div>
      )}
    </Answer>
  );
}

/** One sentence with what decides, and the result of each condition. */
function Results({ verdict }: { verdict: ConditionResult }) {
  const t = useTexts(texts);
  const say = useVerdictWords(verdict);
  return (
    <>
      <p>{becauseOf(verdict, say, t)}</p>
      <ul className={css.results}>
        <Result of={verdict} say={say} />
      </ul>
    </>
  );
}

/** One condition, and below it those that it consists of. */
function Result({ of, say }: { of: ConditionResult; say: (one: ConditionResult) => string }) {
  const t = useTexts(texts);
  return (
    <li>
      <span className={css.result} data-pass={of.pass}>
        <Icon name={of.pass ? "check" : "close"} size={14} />
        <span className="visually-hidden">{t(of.pass ? "holds" : "fails")}</span>
        <span>{say(of)}</span>
      </span>
      {of.of.length > 0 && (
        <ul className={css.results}>
          {of.of.map((one, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no id, and stay at their place
            <Result key={i} of={one} say={say} />
          ))}
        </ul>
      )}
    </li>
  );
}
