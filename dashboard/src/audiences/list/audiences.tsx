import { Button } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { mayEdit, useWorkspace } from "../../platform/call/workspace.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { AuthoredList } from "../../platform/list/authored-list.tsx";
import { AuthoredRow } from "../../platform/list/authored-row.tsx";
import { Icon } from "../../platform/look/icons.tsx";
import { Badge } from "../../platform/look/parts.tsx";
import { Empty } from "../../platform/states/states.tsx";
import { Page } from "../../platform/trail.tsx";
import { audienceKinds, type ListedAudience } from "../audience.ts";
import { texts } from "../texts.ts";
import { NewAudience } from "./new-audience.tsx";

const route = getRouteApi("/w/$workspace/audiences");

/** All audiences. */
export function Audiences() {
  const t = useTexts(texts);
  const open = useWorkspace();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [making, setMaking] = useState(false);
  const may = mayEdit(open);
  const show = (id: string) =>
    void navigate({ to: "/w/$workspace/audiences/$id", params: { workspace: open.id, id }, search: {} });
  const make = (
    <Button disabled={!may} onClick={() => setMaking(true)} leftSection={<Icon name="plus" />}>
      {t("newAudience")}
    </Button>
  );
  return (
    <Page title={t("audiences")} lead={may ? t("lead") : `${t("lead")} ${t("onlyEditors")}`} actions={make} wide>
      <AuthoredList<ListedAudience>
        path="/audiences"
        search={search}
        onSearch={(to) => void navigate({ search: to, replace: true })}
        label={t("audiences")}
        searchLabel={t("search")}
        facets={[{ name: "kind", label: t("kind"), words: audienceKinds.map((word) => [word, t(word)]) }]}
        none={
          <Empty icon="people" title={t("none")}>
            {t("noneBody")}
          </Empty>
        }
      >
        {({ id, name, kind, updated_at }) => (
          <AuthoredRow
            link={{ to: "/w/$workspace/audiences/$id", params: { workspace: open.id, id } }}
            name={name}
            about={t(`about_${kind}`)}
            at={updated_at}
          >
            <Badge tone="plain">{t(kind)}</Badge>
          </AuthoredRow>
        )}
      </AuthoredList>
      {making && <NewAudience onClose={() => setMaking(false)} onMade={show} />}
    </Page>
  );
}
