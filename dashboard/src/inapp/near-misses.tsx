import type { NearMisses as NearMissesShape } from "@tidings/contract/inapp/explain";
import { Button } from "@mantine/core";
import type { Static } from "typebox";
import { nameOf, type PersonRead } from "../find-person/person-name.ts";
import { useRead } from "../platform/call/queries.ts";
import { useFormat } from "../platform/language/format.ts";
import { useTexts } from "../platform/language/texts.ts";
import { Item, Lines, List, Section } from "../platform/look/parts.tsx";
import { Empty } from "../platform/states/states.tsx";
import css from "./inapp.module.css";
import { texts } from "./texts.ts";

type Misses = Static<typeof NearMissesShape>;
const SHOWN = 10;

/** Ids that applications sync with and that no person has: the most common reason why nothing is ever shown. */
export function NearMisses() {
  const t = useTexts(texts);
  const format = useFormat();
  const { data } = useRead<Misses>("/in-app/near-misses", {}, { everyMs: 30_000 });
  if (!data || data.data.length === 0) return null;
  return (
    <Section title={t("nearMisses")}>
      <p className="quiet">{t("nearMissesBody")}</p>
      <List>
        {data.data.slice(0, SHOWN).map(({ person_id, screen, last_seen, count }) => (
          <Item key={person_id}>
            <Lines>
              <code>{person_id}</code>
              <span className="quiet">
                {[t("asked", { count, time: format.ago(last_seen) }), screen && t("on", { screen })]
                  .filter(Boolean)
                  .join(" · ")}
              </span>
            </Lines>
          </Item>
        ))}
      </List>
    </Section>
  );
}

/** Nobody has the id that was asked about: says so, and offers who may be meant. */
export function Unknown({ person, onChange }: { person: string; onChange: (personId: string) => void }) {
  const t = useTexts(texts);
  const { data } = useRead<{ data: PersonRead[] }>("/people", { q: person.slice(0, 256), limit: 5 });
  const similar = data?.data ?? [];
  return (
    <>
      <Empty icon="search" title={t("unknown", { person })}>
        <p>{t("unknownBody")}</p>
        {similar.length > 0 && (
          <>
            <p>{t("similar")}</p>
            <div className={css.misses}>
              {similar.map((one) => (
                <Button key={one.person_id} variant="default" size="xs" onClick={() => onChange(one.person_id)}>
                  {nameOf(one) ?? one.email ?? one.person_id}
                </Button>
              ))}
            </div>
          </>
        )}
      </Empty>
      <NearMisses />
    </>
  );
}
