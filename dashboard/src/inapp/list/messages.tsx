import { Button } from "@mantine/core";
import { getRouteApi, Link } from "@tanstack/react-router";
import { mayEdit, useWorkspace } from "../../platform/call/workspace.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { AuthoredList } from "../../platform/list/authored-list.tsx";
import { AuthoredRow } from "../../platform/list/authored-row.tsx";
import { Icon } from "../../platform/look/icons.tsx";
import { Badge } from "../../platform/look/parts.tsx";
import { Empty } from "../../platform/states/states.tsx";
import { Page } from "../../platform/trail.tsx";
import { type ListedMessage, priorities, renderTypes, renderTypeTexts } from "../message.ts";
import { OffNote } from "./off-note.tsx";
import { texts as own } from "./texts.ts";

const route = getRouteApi("/w/$workspace/in-app-messages");
const texts = { ...own, ...renderTypeTexts };

/** All in-app messages, with how and how urgently each shows. */
export function InAppMessages() {
  const t = useTexts(texts);
  const open = useWorkspace();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const create = mayEdit(open) && (
    <Button
      leftSection={<Icon name="plus" />}
      renderRoot={(props) => (
        <Link to="/w/$workspace/in-app-messages/$id" params={{ workspace: open.id, id: "new" }} {...props} />
      )}
    >
      {t("create")}
    </Button>
  );
  return (
    <Page title={t("messages")} lead={t("lead")} actions={create} wide>
      <OffNote />
      <AuthoredList<ListedMessage>
        path="/in-app-messages"
        search={search}
        onSearch={(to) => void navigate({ search: to, replace: true })}
        label={t("messages")}
        searchLabel={t("search")}
        facets={[{ name: "render_type", label: t("kind"), words: renderTypes.map((word) => [word, t(word)]) }]}
        none={
          <Empty icon="window" title={t("none")}>
            {t("noneBody")}
          </Empty>
        }
      >
        {(message) => <Row message={message} />}
      </AuthoredList>
    </Page>
  );
}

function Row({ message }: { message: ListedMessage }) {
  const t = useTexts(texts);
  const { id: workspace } = useWorkspace();
  const { id, name, render_type: kind, title, priority, screens, updated_at: at } = message;
  const rules = screens.include.length + screens.exclude.length;
  const preset = priorities.find(([, value]) => value === priority)?.[0];
  return (
    <AuthoredRow
      link={{ to: "/w/$workspace/in-app-messages/$id", params: { workspace, id } }}
      name={name}
      about={[t(kind), title, rules > 0 ? t("someScreens", { count: rules }) : t("allScreens")]
        .filter(Boolean)
        .join(" · ")}
      at={at}
    >
      <Badge tone={preset === "critical" ? "warn" : "plain"}>{preset ? t(preset) : t("priority", { priority })}</Badge>
    </AuthoredRow>
  );
}
