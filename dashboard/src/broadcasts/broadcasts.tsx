import type { Broadcast as BroadcastShape } from "@tidings/contract/messages/broadcasts";
import { getRouteApi } from "@tanstack/react-router";
import type { Static } from "typebox";
import { channels } from "../activity/delivery.ts";
import { useWorkspace } from "../platform/call/workspace.ts";
import { useTexts } from "../platform/language/texts.ts";
import { AuthoredList } from "../platform/list/authored-list.tsx";
import { AuthoredRow } from "../platform/list/authored-row.tsx";
import { Badge } from "../platform/look/parts.tsx";
import { Empty } from "../platform/states/states.tsx";
import { Page } from "../platform/trail.tsx";
import { statuses, toneOf } from "./search.ts";
import { texts } from "./texts.ts";

/** Lists leave the contents out. */
type Broadcast = Omit<Static<typeof BroadcastShape>, "audience" | "content" | "locales" | "variants">;
const route = getRouteApi("/w/$workspace/broadcasts");

/** All broadcasts, with how far each is. */
export function Broadcasts() {
  const t = useTexts(texts);
  const { id: workspace } = useWorkspace();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Page title={t("broadcasts")} lead={t("lead")} wide>
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
            link={{ to: "/w/$workspace/$kind/$id", params: { workspace, kind: "broadcasts", id } }}
            name={name}
            about={[t(channel), total === null ? done > 0 && t("done", { count: done }) : t("doneOf", { done, total })]
              .filter(Boolean)
              .join(" · ")}
            at={updated_at}
          >
            <Badge tone={toneOf[status]}>{t(status)}</Badge>
          </AuthoredRow>
        )}
      </AuthoredList>
    </Page>
  );
}
