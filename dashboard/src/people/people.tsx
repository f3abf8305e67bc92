import type { Person } from "@tidings/contract/facts/people";
import { Button, TextInput } from "@mantine/core";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import type { Static } from "typebox";
import { useList } from "../platform/call/queries.ts";
import { useWorkspace } from "../platform/call/workspace.ts";
import { useFormat } from "../platform/language/format.ts";
import { useTexts } from "../platform/language/texts.ts";
import { Icon } from "../platform/look/icons.tsx";
import { Lines } from "../platform/look/parts.tsx";
import { Rows } from "../platform/rows.tsx";
import { Answer, Empty, Loading } from "../platform/states/states.tsx";
import { Page } from "../platform/trail.tsx";
import css from "./people.module.css";
import { nameOf } from "./person-name.ts";
import { texts } from "./texts.ts";

type PersonRow = Static<typeof Person>;
const route = getRouteApi("/w/$workspace/people");
/** How long nothing must be typed before the list is asked. */
const PAUSE_MS = 200;

/** All people, the last changed first, and a search by the beginning of an id or address. */
export function People() {
  const t = useTexts(texts);
  const { q = "" } = route.useSearch();
  const navigate = route.useNavigate();
  const [typed, setTyped] = useState(q);
  const list = useList<PersonRow>("/people", { ...(q && { q }) });
  const seek = (text: string) => void navigate({ search: text ? { q: text } : {}, replace: true });
  useEffect(() => setTyped(q), [q]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what is typed starts the pause anew
  useEffect(() => {
    if (typed.trim() === q) return;
    const timer = setTimeout(() => seek(typed.trim()), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <Page title={t("people")} lead={t("lead")} wide>
      <search>
        <TextInput
          className={css.search ?? ""}
          aria-label={t("search")}
          placeholder={t("search")}
          leftSection={<Icon name="search" size={14} />}
          data-list-search
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      </search>
      <Answer of={list} loading={<Loading rows={10} />}>
        {() => {
          if (list.rows.length > 0)
            return (
              <Rows rows={list.rows} list={list} idOf={({ person_id }) => person_id} label={t("people")} height={56}>
                {(person) => <Row person={person} />}
              </Rows>
            );
          if (!q)
            return (
              <Empty icon="people" title={t("none")}>
                <p>{t("noneBody")}</p>
                <code>POST /data-gateway/v1/identify</code>
              </Empty>
            );
          return (
            <Empty
              icon="search"
              title={t("noMatch")}
              action={
                <Button variant="default" onClick={() => seek("")}>
                  {t("clear")}
                </Button>
              }
            >
              {t("noMatchBody")}
            </Empty>
          );
        }}
      </Answer>
    </Page>
  );
}

function Row({ person }: { person: PersonRow }) {
  const t = useTexts(texts);
  const format = useFormat();
  const { id: workspace } = useWorkspace();
  const name = nameOf(person);
  return (
    <Link to="/w/$workspace/people/$person" params={{ workspace, person: person.person_id }} className={css.row ?? ""}>
      <span className={css.initial} aria-hidden="true">
        {[...(name ?? person.person_id)][0]?.toUpperCase()}
      </span>
      <Lines>
        <span className="cut">{name ?? person.person_id}</span>
        <span className="cut quiet">{[name && person.person_id, person.email].filter(Boolean).join(" · ")}</span>
      </Lines>
      <time className={`${css.time} quiet`} dateTime={person.updated_at} title={format.instant(person.updated_at)}>
        {t("changed", { time: format.ago(person.updated_at) })}
      </time>
    </Link>
  );
}
