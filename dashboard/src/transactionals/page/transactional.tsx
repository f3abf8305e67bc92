import { Button, Tabs } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { ChannelName } from "../../activity/status.tsx";
import type { Read } from "../../platform/call/call.ts";
import { useVersion } from "../../platform/call/queries.ts";
import { mayEdit, useWorkspace } from "../../platform/call/workspace.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { useRemember } from "../../platform/recent.ts";
import { Copy } from "../../platform/states/copy.tsx";
import { Answer, Loading } from "../../platform/states/states.tsx";
import { texts as states } from "../../platform/states/texts.ts";
import { Page } from "../../platform/trail.tsx";
import type { Transactional } from "../form/values.ts";
import { type Tab, tabs } from "../search.ts";
import { texts } from "../texts.ts";
import css from "../transactionals.module.css";
import { Contract } from "./contract.tsx";
import { Edit } from "./edit.tsx";
import { Removal } from "./removal.tsx";
import { Results } from "./results.tsx";
import { TryOut } from "./try-out.tsx";

const route = getRouteApi("/w/$workspace/transactionals/$id");

/** One transactional: what it says, how it is called, and what became of it. */
export function TransactionalPage() {
  const t = useTexts(texts);
  const { workspace, id } = route.useParams();
  const path = `/transactionals/${encodeURIComponent(id)}`;
  const read = useVersion<Transactional>(path);
  useRemember(`/w/${workspace}${path}`, read.data?.body.name, "mail");
  const list = { to: "/w/$workspace/transactionals", params: { workspace } } as const;
  return (
    <Page
      title={read.data?.body.name ?? t("transactional")}
      above={[{ text: t("transactionals"), link: list }]}
      lead={read.data && <About of={read.data.body} />}
      actions={read.data && <RemoveButton version={read.data} />}
      wide
    >
      <Answer of={read} loading={<Loading rows={8} />}>
        {(version) => <Opened key={id} version={version} />}
      </Answer>
    </Page>
  );
}

function About({ of: { channel, trigger_name, id } }: { of: Transactional }) {
  const t = useTexts(texts);
  const name = trigger_name ?? id;
  return (
    <span className={css.about}>
      <ChannelName of={channel} />
      <span className={css.copied}>
        <code>{name}</code>
        <Copy value={name} what={t(trigger_name ? "triggerName" : "id")} />
      </span>
    </span>
  );
}

function RemoveButton({ version }: { version: Read<Transactional> }) {
  const t = useTexts(texts);
  const say = useTexts(states);
  const may = mayEdit(useWorkspace());
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button
        variant="default"
        disabled={!may}
        title={may ? undefined : say("onlyRead")}
        onClick={() => setAsking(true)}
      >
        {t("remove")} …
      </Button>
      {asking && <Removal version={version} onClose={() => setAsking(false)} />}
    </>
  );
}

function Opened({ version }: { version: Read<Transactional> }) {
  const t = useTexts(texts);
  const { tab = tabs[0] } = route.useSearch();
  const navigate = route.useNavigate();
  const of = version.body;
  return (
    <Tabs
      value={tab}
      onChange={(to) => void navigate({ search: to === tabs[0] ? {} : { tab: to as Tab }, replace: true })}
    >
      <Tabs.List aria-label={t("parts")}>
        {tabs.map((one) => (
          <Tabs.Tab key={one} value={one}>
            {t(`tab_${one}`)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {/* Stays while another tab is looked at, with what is not saved yet. */}
      <Tabs.Panel value="write" keepMounted>
        <Edit version={version} />
      </Tabs.Panel>
      <Tabs.Panel value="call" keepMounted={false}>
        {tab === "call" && (
          <div className={css.split}>
            <div>
              <Contract of={of} />
            </div>
            <div className={css.beside}>
              <TryOut of={of} />
            </div>
          </div>
        )}
      </Tabs.Panel>
      <Tabs.Panel value="results">{tab === "results" && <Results of={of} />}</Tabs.Panel>
    </Tabs>
  );
}
