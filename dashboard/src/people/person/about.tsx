import { useFormat } from "../../platform/language/format.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { Badge, Facts, Section } from "../../platform/look/parts.tsx";
import { Copy } from "../../platform/states/copy.tsx";
import css from "../people.module.css";
import type { PersonRead } from "../../find-person/person-name.ts";
import { texts } from "../texts.ts";

/** Who a person is: ids and addresses with their standing, and the attributes. */
export function About({ person }: { person: PersonRead }) {
  const t = useTexts(texts);
  const format = useFormat();
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
            ...address(t("email"), person.email, person.email_verified, person.claimed_email),
            ...address(t("phone"), person.phone, person.phone_verified, person.claimed_phone),
            [t("timezone"), person.timezone],
            [t("locale"), person.locale],
            [t("created"), format.instant(person.created_at)],
            [t("updated"), format.instant(person.updated_at)],
          ]}
        />
      </Section>
      <Attributes attributes={person.attributes} />
    </>
  );

  /** The address that messages go to, and one that an application claimed without proof. */
  function address(name: string, value: string | null, verified: boolean, claimed: string | null) {
    const used = value && (
      <>
        <span className="cut">{value}</span>
        <Copy value={value} what={name} />
        {verified ? <Badge tone="good">{t("verified")}</Badge> : <Badge tone="plain">{t("unverified")}</Badge>}
      </>
    );
    const kept = claimed && (
      <span title={t("claimedHint")} className={css.claim}>
        <span className="cut">{claimed}</span>
        <Badge tone="warn">{t("claimed")}</Badge>
      </span>
    );
    return [
      [name, used],
      [t("claimOf", { name }), kept],
    ] as const;
  }
}

const DATE = /^\d{4}-\d\d-\d\d(?:[T ][\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?$/;

/** What a value is, in a word. */
function typeOf(value: unknown): "text" | "date" | "number" | "yesNo" | "list" | "object" | "empty" {
  if (value === null) return "empty";
  if (Array.isArray(value)) return "list";
  if (typeof value === "string") return DATE.test(value) ? "date" : "text";
  if (typeof value === "number") return "number";
  return typeof value === "boolean" ? "yesNo" : "object";
}

function Attributes({ attributes }: { attributes: Record<string, unknown> }) {
  const t = useTexts(texts);
  const format = useFormat();
  const sorted = Object.entries(attributes).toSorted(([a], [b]) => a.localeCompare(b));
  const shown = (value: unknown): string => {
    if (typeof value === "boolean") return value ? t("yes") : t("no");
    return typeof value === "string" ? value : JSON.stringify(value);
  };
  return (
    <Section title={t("attributes")}>
      {sorted.length === 0 ? (
        <p className="quiet">{t("noAttributes")}</p>
      ) : (
        <dl className={css.attributes}>
          {sorted.map(([name, value]) => {
            const type = typeOf(value);
            return (
              <div key={name} className={css.attribute}>
                <dt>
                  <span className={css.attributeName}>{name}</span>{" "}
                  <span className={css.type}>{t(`type_${type}`)}</span>
                </dt>
                <dd>
                  <span
                    className={type === "list" || type === "object" ? "mono" : ""}
                    {...(type === "date" && { title: format.instant(value as string) })}
                  >
                    {shown(value)}
                  </span>
                  <Copy value={typeof value === "string" ? value : JSON.stringify(value)} what={name} />
                </dd>
              </div>
            );
          })}
        </dl>
      )}
    </Section>
  );
}
