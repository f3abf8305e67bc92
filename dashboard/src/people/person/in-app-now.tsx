import type { Explanations } from "@tidings/contract/inapp/explain";
import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import type { Static } from "typebox";
import { useList, useRead } from "../../platform/call/queries.ts";
import { useWorkspace } from "../../platform/call/workspace.ts";
import { useFormat } from "../../platform/language/format.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { Badge, Item, Lines, List } from "../../platform/look/parts.tsx";
import { Answer, Empty, Loading } from "../../platform/states/states.tsx";
import type { PersonRead } from "../../find-person/person-name.ts";
import { texts } from "../texts.ts";

type Explained = Static<typeof Explanations>["data"][number];
const AGAIN_MS = 10_000;

/** The live in-app messages of a person, without a screen. Explain answers for a screen and a time. */
export function InAppNow({ person }: { person: PersonRead }) {
  const t = useTexts(texts);
  const { id: workspace } = useWorkspace();
  const query = person.timezone ? { timezone: person.timezone } : {};
  const path = `/people/${encodeURIComponent(person.person_id)}/in-app`;
  const list = useList<Explained>(path, query, { everyMs: AGAIN_MS });
  const messages = useRead<{ data: { id: string; name: string }[] }>("/in-app-messages", { limit: 200 });
  const names = useMemo(() => new Map(messages.data?.data.map(({ id, name }) => [id, name])), [messages.data]);
  const explain = (
    <Button
      size="xs"
      variant="default"
      renderRoot={(props) => (
        <Link to="/w/$workspace/explain" params={{ workspace }} search={{ person: person.person_id }} {...props} />
      )}
    >
      {t("explainFor")}
    </Button>
  );
  return (
    <Answer of={list} loading={<Loading rows={3} />}>
      {() =>
        list.rows.length === 0 ? (
          <Empty icon="window" title={t("noInApp")} action={explain}>
            {t("noInAppBody")}
          </Empty>
        ) : (
          <>
            <p className="quiet">{t("inAppLead")}</p>
            <List>
              {list.rows.map((one) => (
                <Explanation
                  key={one.delivery_id}
                  explained={one}
                  name={names.get(one.message_id)}
                  person={person.person_id}
                />
              ))}
            </List>
            <p>{explain}</p>
          </>
        )
      }
    </Answer>
  );
}

function Explanation({ explained, name, person }: { explained: Explained; name: string | undefined; person: string }) {
  const t = useTexts(texts);
  const format = useFormat();
  const { id: workspace } = useWorkspace();
  const { eligible, reason, next_eligible_at: next, delivery_id: delivery, message_id: message } = explained;
  return (
    <Item wrap>
      <Lines>
        <Link to="/w/$workspace/explain" params={{ workspace }} search={{ person, delivery }}>
          {name ?? message}
        </Link>
        <span className="quiet">{next ? t("nextAt", { time: format.instant(next) }) : (reason ?? t("showsHere"))}</span>
      </Lines>
      <Badge tone={eligible ? "good" : "warn"}>{eligible ? t("shows") : t("held")}</Badge>
    </Item>
  );
}
