import type { ImageUsers } from "@tidings/contract/messages/media";
import { Link } from "@tanstack/react-router";
import type { Static } from "typebox";
import { useRead } from "../platform/call/queries.ts";
import { useWorkspace } from "../platform/call/workspace.ts";
import { useTexts } from "../platform/language/texts.ts";
import { Item, Lines, List } from "../platform/look/parts.tsx";
import { Answer, Loading } from "../platform/states/states.tsx";
import { usedByTexts } from "./used-by-texts.ts";

type User = Static<typeof ImageUsers>["data"][number];

/** The room in which a user of an image is edited. */
const ROOMS = {
  email_template: "email-templates",
  email_layout: "email-layouts",
  snippet: "snippets",
  transactional: "transactionals",
  in_app_message: "in-app-messages",
  broadcast: "broadcasts",
  campaign: "campaigns",
} as const satisfies Record<User["type"], string>;

/** What shows an image, each a link to it. */
export function UsedBy({ id }: { id: string }) {
  const t = useTexts(usedByTexts);
  const { id: workspace } = useWorkspace();
  const read = useRead<Static<typeof ImageUsers>>(`/media/${encodeURIComponent(id)}/users`);
  return (
    <section aria-label={t("usedBy")}>
      <h3>{t("usedBy")}</h3>
      <Answer of={read} loading={<Loading rows={2} />}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="quiet">{t("unused")}</p>
          ) : (
            <List>
              {data.map(({ type, id: user, name }) => (
                <Item key={user}>
                  <Lines>
                    <Link to="/w/$workspace/$kind/$id" params={{ workspace, kind: ROOMS[type], id: user }}>
                      {name}
                    </Link>
                    <span className="quiet">{t(type)}</span>
                  </Lines>
                </Item>
              ))}
            </List>
          )
        }
      </Answer>
    </section>
  );
}
