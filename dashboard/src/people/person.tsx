import type { Person as PersonShape } from "@tidings/contract/facts/people";
import { getRouteApi } from "@tanstack/react-router";
import type { Static } from "typebox";
import { useRead } from "../platform/call/queries.ts";
import { useWorkspace } from "../platform/call/workspace.ts";
import { useFormat } from "../platform/language/format.ts";
import { useTexts } from "../platform/language/texts.ts";
import { Badge, Facts, Section } from "../platform/look/parts.tsx";
import { Copy } from "../platform/states/copy.tsx";
import { Answer, Loading } from "../platform/states/states.tsx";
import { Page } from "../platform/trail.tsx";
import { Devices } from "./devices.tsx";
import { InAppNow } from "./in-app-now.tsx";
import css from "./people.module.css";
import { PersonActions } from "./person-actions.tsx";
import { nameOf } from "./person-name.ts";
import { Subscriptions } from "./subscriptions.tsx";
import { texts } from "./texts.ts";
import { Timeline } from "./timeline.tsx";

type PersonRead = Static<typeof PersonShape>;
const route = getRouteApi("/w/$workspace/people/$person");

/** Everything about one person. */
export function Person() {
  const t = useTexts(texts);
  const { person: id } = route.useParams();
  const { id: workspace } = useWorkspace();
  const path = `/people/${encodeURIComponent(id)}`;
  const read = useRead<PersonRead>(path);
  const above = [{ text: t("people"), link: { to: "/w/$workspace/people", params: { workspace } } as const }];
  return (
    <Page
      title={(read.data && nameOf(read.data)) ?? id}
      above={above}
      wide
      actions={read.data && <PersonActions person={id} />}
    >
      <Answer of={read} loading={<Loading rows={10} />}>
        {(person) => (
          <div className={css.columns}>
            <div>
              <Timeline path={path} />
              <InAppNow path={path} />
            </div>
            <div>
              <About person={person} />
              <Subscriptions path={path} />
              <Devices path={path} />
            </div>
          </div>
        )}
      </Answer>
    </Page>
  );
}

function About({ person }: { person: PersonRead }) {
  const t = useTexts(texts);
  const format = useFormat();
  const address = (value: string | null, verified: boolean, claimed: string | null) =>
    value ? (
      <>
        <span className="cut">{value}</span>
        {verified && <Badge tone="good">{t("verified")}</Badge>}
      </>
    ) : (
      claimed && (
        <>
          <span className="cut">{claimed}</span>
          <Badge tone="plain">{t("claimed")}</Badge>
        </>
      )
    );
  const attributes = Object.entries(person.attributes).toSorted(([a], [b]) => a.localeCompare(b));
  return (
    <>
      <Section title={t("about")}>
        <Facts
          of={[
            [
              "person_id",
              <>
                <code className="cut">{person.person_id}</code>
                <Copy value={person.person_id} what="person_id" />
              </>,
            ],
            [t("email"), address(person.email, person.email_verified, person.claimed_email)],
            [t("phone"), address(person.phone, person.phone_verified, person.claimed_phone)],
            [t("timezone"), person.timezone],
            [t("locale"), person.locale],
            [t("created"), format.instant(person.created_at)],
            [t("updated"), format.instant(person.updated_at)],
          ]}
        />
      </Section>
      <Section title={t("attributes")}>
        {attributes.length === 0 ? (
          <p className="quiet">{t("noAttributes")}</p>
        ) : (
          <Facts
            of={attributes.map(([name, value]) => [
              name,
              <span key={name} className="mono">
                {typeof value === "string" ? value : JSON.stringify(value)}
              </span>,
            ])}
          />
        )}
      </Section>
    </>
  );
}
