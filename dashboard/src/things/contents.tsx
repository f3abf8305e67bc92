import { Link } from "@tanstack/react-router";
import { Bubble } from "../activity/snapshot.tsx";
import { useWorkspace } from "../platform/call/workspace.ts";
import { HtmlFrame } from "../platform/html-frame.tsx";
import { useTexts } from "../platform/language/texts.ts";
import { isAuthoredKind } from "../platform/list/authored-kinds.ts";
import { Card, Facts, Item, Lines, List, Note, Section, Source } from "../platform/look/parts.tsx";
import type { Thing, ThingKind } from "./kinds.ts";
import { texts } from "./texts.ts";
import css from "./things.module.css";

type Content = Record<string, unknown>;
const textOf = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);
const objectOf = (value: unknown): Content | undefined =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Content) : undefined;

/** What a thing contains, as its kind has it. */
export function Contents({ kind, thing }: { kind: ThingKind; thing: Thing }) {
  const t = useTexts(texts);
  const { warnings, used_by: usedBy } = thing;
  return (
    <>
      {Array.isArray(warnings) && warnings.length > 0 && (
        <Section title={t("warnings")}>
          {warnings.map(({ code, message }) => (
            <Note key={code} tone="warn">
              {message}
            </Note>
          ))}
        </Section>
      )}
      <Said kind={kind} thing={thing} />
      {Array.isArray(usedBy) && <UsedBy of={usedBy} />}
    </>
  );
}

/** The text that people get. */
function Said({ kind, thing }: { kind: ThingKind; thing: Thing }) {
  const t = useTexts(texts);
  const content = objectOf(thing.content) ?? (thing as Content);
  const body = textOf(content?.body) ?? textOf(content?.message);
  if (!content || body === undefined) return null;
  const isEmail = thing.channel === "email" || kind === "email-templates";
  const markup = kind === "email-layouts" || kind === "snippets" || /^\s*<mjml/i.test(body);
  const title = textOf(content.title);
  return (
    <Section title={t("contents")}>
      {isEmail && (
        <Facts
          of={[
            [t("from"), textOf(content.from)],
            [t("subject"), content !== thing && textOf(content.subject)],
          ]}
        />
      )}
      {markup ? (
        <Source text={body} />
      ) : isEmail ? (
        <HtmlFrame html={body} title={t("contents")} />
      ) : thing.channel === "sms" ? (
        <Bubble text={body} />
      ) : (
        <Card>
          {title && <strong className={css.noticeTitle}>{title}</strong>}
          {body}
        </Card>
      )}
    </Section>
  );
}

interface User {
  type: string;
  id: string;
  name: string;
}

function UsedBy({ of }: { of: User[] }) {
  const t = useTexts(texts);
  const { id: workspace } = useWorkspace();
  if (of.length === 0) return null;
  return (
    <Section title={t("usedBy")}>
      <List>
        {of.map(({ type, id, name }) => {
          const kind = `${type}s`;
          return (
            <Item key={id}>
              <Lines>
                {isAuthoredKind(kind) ? (
                  <Link to="/w/$workspace/$kind/$id" params={{ workspace, kind, id }}>
                    {name}
                  </Link>
                ) : (
                  name
                )}
                <span className="quiet">{isAuthoredKind(kind) ? t(kind) : type}</span>
              </Lines>
            </Item>
          );
        })}
      </List>
    </Section>
  );
}
