import { Link } from "@tanstack/react-router";
import { useWorkspace } from "../../platform/call/workspace.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { Item, Lines, List } from "../../platform/look/parts.tsx";
import type { AudienceUser } from "@tidings/contract/audience/audiences";
import { texts } from "./texts.ts";

const KINDS = { audience: "audiences", broadcast: "broadcasts", campaign: "campaigns" } as const;
const isKind = (type: string): type is keyof typeof KINDS => type in KINDS;

/** What uses an audience, and what another audience means for it. */
export function UsedBy({ of }: { of: readonly AudienceUser[] }) {
  const t = useTexts(texts);
  const { id: workspace } = useWorkspace();
  return (
    <List>
      {of.map(({ type, id, name }) => (
        <Item key={id}>
          <Lines>
            {isKind(type) ? (
              <Link to="/w/$workspace/$kind/$id" params={{ workspace, kind: KINDS[type], id }}>
                {name}
              </Link>
            ) : (
              name
            )}
            <span className="quiet">{isKind(type) ? t(`user_${type}`) : type}</span>
          </Lines>
        </Item>
      ))}
    </List>
  );
}
