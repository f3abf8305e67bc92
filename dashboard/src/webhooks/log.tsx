import { ActionIcon, Button, NativeSelect } from "@mantine/core";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { useList } from "../platform/call/queries.ts";
import { useWorkspace } from "../platform/call/workspace.ts";
import { useFormat } from "../platform/language/format.ts";
import { useTexts } from "../platform/language/texts.ts";
import { More } from "../platform/list/more.tsx";
import { changedSearch } from "../platform/list/search.ts";
import { Icon } from "../platform/look/icons.tsx";
import { Badge, Item, Lines, List, Section } from "../platform/look/parts.tsx";
import { Answer, Empty, Loading } from "../platform/states/states.tsx";
import { LogDrawer } from "./log-entry.tsx";
import { logQuery, periodNames, states, type WebhookSearch } from "./search.ts";
import { texts } from "./texts.ts";
import { entryTone, families, type LogEntry, typesOf, type Webhook } from "./webhook.ts";
import css from "./webhooks.module.css";

const route = getRouteApi("/w/$workspace/webhooks/$webhook");
const LOOK_MS = 5_000;

/** What was sent to an endpoint, newest first; filters and the open entry are in the address. */
export function Log({ webhook }: { webhook: Webhook }) {
  const t = useTexts(texts);
  const { open, ...filters } = route.useSearch();
  const navigate = route.useNavigate();
  const now = useMemo(() => Date.now(), []);
  const list = useList<LogEntry>(`/webhooks/${webhook.id}/deliveries`, logQuery(filters, now), { everyMs: LOOK_MS });
  const change = (changed: { [K in keyof WebhookSearch]: WebhookSearch[K] | undefined }) =>
    void navigate({
      search: (before) => changedSearch(before, changed),
      replace: true,
    });
  const filtered = Object.keys(filters).length > 0;
  const clear = () => void navigate({ search: {} });
  return (
    <Section title={t("log")}>
      <p className="quiet">{t("logLead")}</p>
      <Filters filters={filters} onChange={change} onClear={clear} onRefresh={() => void list.refetch()} />
      <Answer of={list} loading={<Loading rows={6} height={32} />}>
        {() =>
          list.rows.length === 0 ? (
            <Empty icon={filtered ? "search" : "hook"} title={t(filtered ? "noMatch" : "noLog")}>
              {t(filtered ? "noMatchBody" : "noLogBody")}
            </Empty>
          ) : (
            <List>
              {list.rows.map((entry) => (
                <Item key={entry.id} wrap>
                  <Row entry={entry} webhook={webhook.id} />
                </Item>
              ))}
            </List>
          )
        }
      </Answer>
      <More list={list} />
      <LogDrawer
        webhook={webhook}
        id={open}
        listed={list.rows.find(({ id }) => id === open)}
        onClose={() => change({ open: undefined })}
      />
    </Section>
  );
}

interface FiltersProps {
  filters: WebhookSearch;
  onChange: (changed: { [K in keyof WebhookSearch]: WebhookSearch[K] | undefined }) => void;
  onClear: () => void;
  onRefresh: () => void;
}

function Filters({ filters, onChange, onClear, onRefresh }: FiltersProps) {
  const t = useTexts(texts);
  const set = (name: keyof WebhookSearch) => (event: { currentTarget: { value: string } }) =>
    onChange({ [name]: event.currentTarget.value || undefined });
  return (
    <search className={css.filters}>
      <NativeSelect
        aria-label={t("status")}
        value={filters.status ?? ""}
        onChange={set("status")}
        data={[{ value: "", label: t("anyStatus") }, ...states.map((value) => ({ value, label: t(value) }))]}
      />
      <NativeSelect aria-label={t("type")} value={filters.type ?? ""} onChange={set("type")}>
        <option value="">{t("anyType")}</option>
        {families.map((family) => (
          <optgroup key={family} label={t(family)}>
            {typesOf(family).map((type) => (
              <option key={type} value={type}>
                {type}
              </option>
            ))}
          </optgroup>
        ))}
      </NativeSelect>
      <NativeSelect
        aria-label={t("period")}
        value={filters.period ?? ""}
        onChange={set("period")}
        data={[{ value: "", label: t("anyTime") }, ...periodNames.map((value) => ({ value, label: t(value) }))]}
      />
      <ActionIcon variant="default" size={36} onClick={onRefresh} aria-label={t("refresh")}>
        <Icon name="refresh" />
      </ActionIcon>
      {Object.keys(filters).length > 0 && (
        <Button variant="subtle" color="gray" onClick={onClear}>
          {t("clear")}
        </Button>
      )}
    </search>
  );
}

function Row({ entry, webhook }: { entry: LogEntry; webhook: string }) {
  const t = useTexts(texts);
  const format = useFormat();
  const { id: workspace } = useWorkspace();
  const last = entry.attempts.at(-1);
  const said = [
    entry.payload.data.person_id ?? entry.payload.data.recipient,
    entry.attempts.length > 0 && t("attempts", { count: entry.attempts.length }),
    last && (last.status === null ? (last.error ?? t("noAnswer")) : `HTTP ${last.status}`),
    entry.status === "pending" && entry.next_attempt_at && t("next", { time: format.ago(entry.next_attempt_at) }),
  ];
  return (
    <>
      <Lines>
        <Link
          from="/w/$workspace/webhooks/$webhook"
          to="/w/$workspace/webhooks/$webhook"
          params={{ workspace, webhook }}
          search={(before) => ({ ...before, open: entry.id })}
          className="row-link"
        >
          {entry.type}
        </Link>
        <span className="quiet">{said.filter(Boolean).join(" · ")}</span>
      </Lines>
      <Badge tone={entryTone[entry.status]}>{t(entry.status)}</Badge>
      <time
        className={`${css.time} quiet numbers`}
        dateTime={entry.created_at}
        title={format.instant(entry.created_at)}
      >
        {format.ago(entry.created_at)}
      </time>
    </>
  );
}
