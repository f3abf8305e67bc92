import { Button } from "@mantine/core";
import { getRouteApi, Link } from "@tanstack/react-router";
import { mayEdit, useWorkspace } from "../platform/call/workspace.ts";
import { useTexts } from "../platform/language/texts.ts";
import { AuthoredList } from "../platform/list/authored-list.tsx";
import { AuthoredRow } from "../platform/list/authored-row.tsx";
import { Icon } from "../platform/look/icons.tsx";
import { Empty } from "../platform/states/states.tsx";
import { texts as states } from "../platform/states/texts.ts";
import { Page } from "../platform/trail.tsx";
import type { Transactional } from "./form/values.ts";
import { channels } from "./search.ts";
import { texts } from "./texts.ts";
import { Week } from "./week.tsx";

/** Lists leave the content out. */
type Row = Omit<Transactional, "content" | "warnings">;
const route = getRouteApi("/w/$workspace/transactionals");

/** All transactionals, with what each sent in a week. */
export function Transactionals() {
  const t = useTexts(texts);
  const { id: workspace } = useWorkspace();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Page title={t("transactionals")} lead={t("lead")} actions={<NewLink />} wide>
      <AuthoredList<Row>
        path="/transactionals"
        search={search}
        onSearch={(to) => void navigate({ search: to, replace: true })}
        label={t("transactionals")}
        searchLabel={t("search")}
        facets={[{ name: "channel", label: t("channel"), words: channels.map((word) => [word, t(word)]) }]}
        none={
          <Empty icon="mail" title={t("none")}>
            {t("noneBody")}
          </Empty>
        }
      >
        {({ id, name, channel, trigger_name: trigger, updated_at }) => (
          <AuthoredRow
            link={{ to: "/w/$workspace/transactionals/$id", params: { workspace, id } }}
            name={name}
            about={
              <>
                {t(channel)} · <code>{trigger ?? id}</code>
              </>
            }
            at={updated_at}
          >
            <Week id={id} />
          </AuthoredRow>
        )}
      </AuthoredList>
    </Page>
  );
}

function NewLink() {
  const t = useTexts(texts);
  const say = useTexts(states);
  const open = useWorkspace();
  const icon = <Icon name="plus" />;
  if (!mayEdit(open))
    return (
      <Button leftSection={icon} disabled title={say("onlyRead")}>
        {t("new")}
      </Button>
    );
  return (
    <Button
      leftSection={icon}
      renderRoot={(props) => <Link to="/w/$workspace/transactionals/new" params={{ workspace: open.id }} {...props} />}
    >
      {t("new")}
    </Button>
  );
}
