import type { PushedChannel } from "@tidings/contract/messages/outbound";
import { Button } from "@mantine/core";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useList, useRead } from "../../platform/call/queries.ts";
import { useWorkspace } from "../../platform/call/workspace.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { Icon } from "../../platform/look/icons.tsx";
import { Card, Note, Section } from "../../platform/look/parts.tsx";
import { Answer, Loading } from "../../platform/states/states.tsx";
import { Page } from "../../platform/trail.tsx";
import css from "./channels.module.css";
import { Domains } from "../domains/domains.tsx";
import { InApp, type Workspace } from "./in-app.tsx";
import { ProviderDrawer } from "./provider-drawer.tsx";
import { NewProvider } from "./provider-form.tsx";
import { ProviderList } from "./provider-list.tsx";
import { type ChannelsSearch, pushed } from "./search.ts";
import { texts } from "./texts.ts";
import type { Provider } from "./values.ts";

const route = getRouteApi("/w/$workspace/channels");
/** States change by themselves. */
const LOOK_MS = 5_000;

const byPriority = (a: Provider, b: Provider) => a.priority - b.priority || a.created_at.localeCompare(b.created_at);

/** The four channels with their providers, and the domains that email is sent from. */
export function Channels() {
  const t = useTexts(texts);
  const open = useWorkspace();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const go = (next: ChannelsSearch) => void navigate({ search: next });
  const list = useList<Provider>("/providers", { limit: 200 }, { everyMs: LOOK_MS });
  const mayChange = open.role === "owner";
  const of = (channel: PushedChannel) => list.rows.filter((one) => one.channel === channel).sort(byPriority);
  return (
    <Page title={t("channels")} lead={mayChange ? t("lead") : `${t("lead")} ${t("onlyOwners")}`}>
      <Answer of={list} loading={<Loading rows={6} height={32} />}>
        {() =>
          pushed.map((channel) => (
            <Section
              key={channel}
              title={t(channel)}
              aside={
                <Button
                  size="xs"
                  variant="default"
                  disabled={!mayChange}
                  onClick={() => go({ add: channel })}
                  leftSection={<Icon name="plus" size={14} />}
                  aria-label={t("addTo", { channel: t(channel) })}
                >
                  {t("add")}
                </Button>
              }
            >
              {of(channel).length > 0 ? (
                <ProviderList channel={channel} providers={of(channel)} mayChange={mayChange} />
              ) : (
                <Captured />
              )}
              {channel === "email" && <Sender />}
            </Section>
          ))
        }
      </Answer>
      <InApp />
      <Domains open={search.domain} onOpen={(domain) => go(domain ? { domain } : {})} />
      <ProviderDrawer id={search.provider} test={search.test === true} onClose={() => go({})} />
      {search.add && mayChange && list.data && (
        <NewProvider
          key={search.add}
          channel={search.add}
          count={of(search.add).length}
          onClose={() => go({})}
          onMade={({ id }) => go({ provider: id, test: true })}
        />
      )}
    </Page>
  );
}

function Captured() {
  const t = useTexts(texts);
  const { id: workspace } = useWorkspace();
  return (
    <Card>
      <span className="quiet">{t("captured")}</span>{" "}
      <Link to="/w/$workspace/outbox" params={{ workspace }} search={{}}>
        {t("toOutbox")}
      </Link>
    </Card>
  );
}

/** The default sender, which the room of the workspace changes. */
function Sender() {
  const t = useTexts(texts);
  const { id: workspace } = useWorkspace();
  const read = useRead<Workspace>("/workspace");
  const from = read.data?.sender_defaults.email_from;
  if (!read.data) return null;
  const change = (
    <Link to="/w/$workspace/settings" params={{ workspace }}>
      {t("change")}
    </Link>
  );
  return (
    <div className={css.sender}>
      {from === undefined ? (
        <Note tone="warn">
          {t("noSender")} {change}
        </Note>
      ) : (
        <span className="quiet">
          {t("sender")}: <strong>{from}</strong> {change}
        </span>
      )}
    </div>
  );
}
