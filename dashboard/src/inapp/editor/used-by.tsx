import { Link } from "@tanstack/react-router";
import { useWorkspace } from "../../platform/call/workspace.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { Item, Lines, List, Section } from "../../platform/look/parts.tsx";
import type { Message } from "../message.ts";
import { texts } from "./texts.ts";

export type User = Message["used_by"][number];

/** The broadcasts and campaigns that send the message. */
export function UsedBy({ of }: { of: readonly User[] }) {
  const t = useTexts(texts);
  return (
    <Section title={t("usedBy")}>
      {of.length === 0 ? <p className="quiet">{t("usedByNone")}</p> : <Users of={of} />}
    </Section>
  );
}

export function Users({ of }: { of: readonly User[] }) {
  const t = useTexts(texts);
  const { id: workspace } = useWorkspace();
  return (
    <List>
      {of.map(({ type, id, name }) => (
        <Item key={id}>
          <Lines>
            <Link to="/w/$workspace/$kind/$id" params={{ workspace, kind: `${type}s`, id }}>
              {name}
            </Link>
            <span className="quiet">{t(type)}</span>
          </Lines>
        </Item>
      ))}
    </List>
  );
}
