import { Tabs } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { createContext, memo, useContext } from "react";
import type { Read } from "../platform/call/call.ts";
import { useVersion } from "../platform/call/queries.ts";
import { useWorkspace } from "../platform/call/workspace.ts";
import { SaveBar } from "../platform/form/save-bar.tsx";
import { useTexts } from "../platform/language/texts.ts";
import { Badge } from "../platform/look/parts.tsx";
import { useRemember } from "../platform/recent.ts";
import { Answer, Loading } from "../platform/states/states.tsx";
import { Page } from "../platform/trail.tsx";
import css from "./campaign.module.css";
import type { Campaign } from "./campaign-shape.ts";
import { useDraft } from "./editor/use-draft.ts";
import { Progress } from "./operate/progress.tsx";
import { Publishing } from "./operate/publish/publishing.tsx";
import { type Tab, tabs, toneOf } from "./search.ts";
import { panels, type TabProps } from "./tabs.tsx";
import { texts } from "./texts.ts";

const route = getRouteApi("/w/$workspace/campaigns/$id");

/** One campaign: its journey to draw, and everything about its operation, each in a tab. */
export function CampaignPage() {
  const t = useTexts(texts);
  const { workspace, id } = route.useParams();
  const path = `/campaigns/${encodeURIComponent(id)}`;
  const above = useAbove();
  const read = useVersion<Campaign>(path);
  useRemember(`/w/${workspace}${path}`, read.data?.body.name, "branch");
  if (read.data) return <OpenCampaign key={id} version={read.data} />;
  return (
    <Page title={t("campaign")} above={above}>
      <Answer of={read} loading={<Loading rows={8} />}>
        {() => null}
      </Answer>
    </Page>
  );
}

function useAbove() {
  const t = useTexts(texts);
  const { id: workspace } = useWorkspace();
  return [{ text: t("campaigns"), link: { to: "/w/$workspace/campaigns", params: { workspace } } as const }];
}

function OpenCampaign({ version }: { version: Read<Campaign> }) {
  const t = useTexts(texts);
  const above = useAbove();
  const { tab = tabs[0] } = route.useSearch();
  const draft = useDraft(version);
  const campaign = version.body;
  const { name, status, changed } = campaign;
  const labels = {
    name: t("name"),
    trigger: t("trigger"),
    reentry: t("reentry"),
    steps: t("steps"),
    entry_max_age: t("entryMaxAge"),
    exit_when: t("exitWhen"),
    goal: t("goal"),
    cancel_on: t("cancelOn"),
  };
  return (
    <Page
      title={name}
      above={above}
      actions={<Publishing campaign={campaign} dirty={draft.form.dirty} />}
      lead={
        <span className={css.states}>
          <Badge tone={toneOf[status]}>{t(status)}</Badge>
          {changed && status !== "archived" && <Badge tone="warn">{t("changed")}</Badge>}
        </span>
      }
      wide
    >
      {campaign.progress && <Progress of={campaign.progress} />}
      <OpenTab value={{ campaign, draft }}>
        <CampaignTabs tab={tab} />
      </OpenTab>
      <form onSubmit={draft.form.onSubmit}>
        <SaveBar
          form={draft.form}
          labels={labels}
          say={(field) => (field === "steps" ? t("stepsChanged") : undefined)}
        />
      </form>
    </Page>
  );
}

/** What the panel of the open tab gets, past the tabs: as their property it would draw them again at each key. */
const OpenTab = createContext<TabProps | undefined>(undefined);

/** The tabs, and the panel of the open one. */
const CampaignTabs = memo(function CampaignTabs({ tab }: { tab: Tab }) {
  const t = useTexts(texts);
  const navigate = route.useNavigate();
  return (
    <Tabs
      value={tab}
      onChange={(to) =>
        void navigate({ search: to === tabs[0] || to === null ? {} : { tab: to as Tab }, replace: true })
      }
      className={css.tabs ?? ""}
      keepMounted={false}
    >
      <Tabs.List aria-label={t("tabs")}>
        {tabs.map((one) => (
          <Tabs.Tab key={one} value={one}>
            {t(`tab_${one}`)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={tab} pt="md">
        <Panel of={panels[tab]} />
      </Tabs.Panel>
    </Tabs>
  );
});

function Panel({ of: Shown }: { of: (typeof panels)[Tab] }) {
  const shown = useContext(OpenTab);
  return shown && <Shown {...shown} />;
}
