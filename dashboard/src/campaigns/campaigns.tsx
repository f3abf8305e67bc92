import { Button } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { mayEdit, useWorkspace } from "../platform/call/workspace.ts";
import { useTexts } from "../platform/language/texts.ts";
import { AuthoredList } from "../platform/list/authored-list.tsx";
import { AuthoredRow } from "../platform/list/authored-row.tsx";
import { Icon } from "../platform/look/icons.tsx";
import { Badge } from "../platform/look/parts.tsx";
import { Empty } from "../platform/states/states.tsx";
import { Page } from "../platform/trail.tsx";
import type { ListedCampaign } from "./campaign-shape.ts";
import { NewCampaign } from "./new-campaign.tsx";
import { statuses, toneOf } from "./search.ts";
import { texts } from "./texts.ts";
import { useWords } from "./words/use-words.ts";

const route = getRouteApi("/w/$workspace/campaigns");

/** All campaigns, with who enters each and how many are in it. */
export function Campaigns() {
  const t = useTexts(texts);
  const words = useWords();
  const open = useWorkspace();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [making, setMaking] = useState(false);
  const may = mayEdit(open);
  const make = (
    <Button disabled={!may} onClick={() => setMaking(true)} leftSection={<Icon name="plus" />}>
      {t("newCampaign")}
    </Button>
  );
  return (
    <Page title={t("campaigns")} lead={may ? t("lead") : `${t("lead")} ${t("onlyEditors")}`} actions={make} wide>
      <AuthoredList<ListedCampaign>
        path="/campaigns"
        search={search}
        onSearch={(to) => void navigate({ search: to, replace: true })}
        label={t("campaigns")}
        searchLabel={t("search")}
        facets={[{ name: "status", label: t("status"), words: statuses.map((word) => [word, t(word)]) }]}
        none={
          <Empty icon="branch" title={t("none")}>
            {t("noneBody")}
          </Empty>
        }
      >
        {({ id, name, trigger, status, active_runs, changed, updated_at }) => (
          <AuthoredRow
            link={{ to: "/w/$workspace/campaigns/$id", params: { workspace: open.id, id } }}
            name={name}
            about={words.trigger(trigger)}
            at={updated_at}
          >
            {active_runs > 0 && <span className="numbers quiet">{t("inside", { count: active_runs })}</span>}
            {changed && status !== "archived" && <Badge tone="warn">{t("changed")}</Badge>}
            <Badge tone={toneOf[status]}>{t(status)}</Badge>
          </AuthoredRow>
        )}
      </AuthoredList>
      {making && <NewCampaign onClose={() => setMaking(false)} />}
    </Page>
  );
}
