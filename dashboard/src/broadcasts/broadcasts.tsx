import { Button } from "@mantine/core";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { Broadcast as BroadcastShape } from "@tidings/contract/messages/broadcasts";
import type { Static } from "typebox";
import { channels } from "../activity/delivery.ts";
import { mayEdit, useWorkspace } from "../platform/call/workspace.ts";
import { useTexts } from "../platform/language/texts.ts";
import { AuthoredList } from "../platform/list/authored-list.tsx";
import { AuthoredRow } from "../platform/list/authored-row.tsx";
import { Icon } from "../platform/look/icons.tsx";
import { Badge } from "../platform/look/parts.tsx";
import { Empty } from "../platform/states/states.tsx";
import { Page } from "../platform/trail.tsx";
import { isDraft } from "./broadcast.ts";
import { Figures } from "./figures.tsx";
import { statuses, toneOf } from "./search.ts";
import { texts } from "./texts.ts";

/** Lists leave the contents out. */
type Broadcast = Omit<Static<typeof BroadcastShape>, "audience" | "content" | "locales" | "variants">;
const route = getRouteApi("/w/$workspace/broadcasts");

/** All broadcasts, with how far each is. */
export function Broadcasts() {
  const t = useTexts(texts);
  const open = useWorkspace();
  const { id: workspace } = open;
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const make = mayEdit(open) && (
    <Button
      leftSection={<Icon name="plus" />}
      renderRoot={(props) => <Link to="/w/$workspace/broadcasts/new" params={{ workspace }} {...props} />}
    >
      {t("newBroadcast")}
    </Button>
  );
  return (
    <Page title={t("broadcasts")} lead={t("lead")} actions={make} wide>
      <AuthoredList<Broadcast>
        path="/broadcasts"
        search={search}
        onSearch={(to) => void navigate({ search: to, replace: true })}
        label={t("broadcasts")}
        searchLabel={t("search")}
        facets={[
          { name: "status", label: t("status"), words: statuses.map((word) => [word, t(word)]) },
          { name: "channel", label: t("channel"), words: channels.map((word) => [word, t(word)]) },
        ]}
        none={
          <Empty icon="send" title={t("none")}>
            {t("noneBody")}
          </Empty>
        }
      >
        {({ id, name, channel, status, progress: { done, total }, updated_at }) => (
          <AuthoredRow
            link={{ to: "/w/$workspace/broadcasts/$id", params: { workspace, id } }}
            name={name}
            about={[t(channel), total === null ? done > 0 && t("done", { count: done }) : t("doneOf", { done, total })]
              .filter(Boolean)
              .join(" · ")}
            at={updated_at}
          >
            {!isDraft(status) && <Figures id={id} channel={channel} />}
            <Badge tone={toneOf[status]}>{t(status)}</Badge>
          </AuthoredRow>
        )}
      </AuthoredList>
    </Page>
  );
}
