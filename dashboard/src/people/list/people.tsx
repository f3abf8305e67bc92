import { ActionIcon, Tooltip } from "@mantine/core";
import { getRouteApi, Link } from "@tanstack/react-router";
import { memo, useCallback, useDeferredValue } from "react";
import { useList } from "../../platform/call/queries.ts";
import { useWorkspace } from "../../platform/call/workspace.ts";
import { useFormat } from "../../platform/language/format.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { NoRows } from "../../platform/list/more.tsx";
import { Icon } from "../../platform/look/icons.tsx";
import { Lines } from "../../platform/look/parts.tsx";
import { Rows } from "../../platform/rows.tsx";
import { Answer, Empty, Loading } from "../../platform/states/states.tsx";
import { Page } from "../../platform/trail.tsx";
import css from "../people.module.css";
import { nameOf, type PersonRead } from "../../find-person/person-name.ts";
import type { PeopleSearch } from "../search.ts";
import { texts } from "../texts.ts";
import { Find } from "./find.tsx";

/** A person of the list; of the members of an audience only these three are known. */
export type Listed = Pick<PersonRead, "person_id" | "email" | "phone"> &
  Partial<Pick<PersonRead, "attributes" | "updated_at" | "created_at">>;
const route = getRouteApi("/w/$workspace/people");
/** Rows of one call: 100,000 people are 1,000 calls for who scrolls to the last one. */
const PAGE = 100;

/** All people: found by the beginning of a name, address or id, in an order, or the members of an audience. */
export function People() {
  // As the deliveries: the page follows the address in parts of 5 ms.
  return <Room search={useDeferredValue(route.useSearch())} />;
}

const Room = memo(function Room({ search }: { search: PeopleSearch }) {
  const t = useTexts(texts);
  const navigate = route.useNavigate();
  const { q, sort, audience } = search;
  const path = audience ? `/audiences/${encodeURIComponent(audience)}/members` : "/people";
  const query = { limit: PAGE, ...(q && { q }), ...(sort && { sort }) };
  const list = useList<Listed>(path, query, { keep: true });
  const change = useCallback((next: PeopleSearch) => void navigate({ search: next, replace: true }), [navigate]);
  const refresh = (
    <Tooltip label={t("refresh")}>
      <ActionIcon
        variant="default"
        size={36}
        loading={list.isRefetching}
        onClick={() => list.toNewest()}
        aria-label={t("refresh")}
      >
        <Icon name="refresh" />
      </ActionIcon>
    </Tooltip>
  );
  return (
    <Page title={t("people")} lead={t("lead")} actions={refresh} wide>
      <Find search={search} onChange={change} />
      <Answer of={list} loading={<Loading rows={10} />}>
        {() =>
          list.rows.length === 0 ? (
            <NoRows
              filtered={Boolean(q ?? audience)}
              title={t("noMatch")}
              body={t("noMatchBody")}
              onClear={() => change({})}
            >
              <Empty icon="people" title={t("none")}>
                <p>{t("noneBody")}</p>
                <code>POST /data-gateway/v1/identify</code>
              </Empty>
            </NoRows>
          ) : (
            <div className={css.answer} data-old={list.isPlaceholderData}>
              <Rows rows={list.rows} list={list} idOf={({ person_id }) => person_id} label={t("people")} height={56}>
                {(person) => <Row person={person} byEntry={sort === "created_at" || sort === "-created_at"} />}
              </Rows>
            </div>
          )
        }
      </Answer>
    </Page>
  );
});

const Row = memo(function Row({ person, byEntry }: { person: Listed; byEntry: boolean }) {
  const t = useTexts(texts);
  const format = useFormat();
  const { id: workspace } = useWorkspace();
  const name = person.attributes && nameOf({ attributes: person.attributes });
  const at = byEntry ? person.created_at : person.updated_at;
  return (
    <Link
      to="/w/$workspace/people/$person"
      params={{ workspace, person: person.person_id }}
      className={css.row ?? ""}
      preload={false}
    >
      <span className={css.initial} aria-hidden="true">
        {[...(name ?? person.person_id)][0]?.toUpperCase()}
      </span>
      <Lines>
        <span className="cut">{name ?? person.person_id}</span>
        <span className="cut quiet">
          {[name && person.person_id, person.email ?? person.phone].filter(Boolean).join(" · ")}
        </span>
      </Lines>
      {at && (
        <time className={`${css.time} quiet`} dateTime={at} title={format.instant(at)}>
          {t(byEntry ? "firstSeen" : "changed", { time: format.ago(at) })}
        </time>
      )}
    </Link>
  );
});
