import type { ActivityEntry } from "@tidings/contract/facts/activity";
import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { Static } from "typebox";
import { channelIcon } from "../activity/delivery.ts";
import { EntryName } from "../activity/entry-name.tsx";
import { useList } from "../platform/call/queries.ts";
import { useWorkspace } from "../platform/call/workspace.ts";
import { useFormat } from "../platform/language/format.ts";
import { useTexts } from "../platform/language/texts.ts";
import { Icon } from "../platform/look/icons.tsx";
import { Section } from "../platform/look/parts.tsx";
import { Answer } from "../platform/states/states.tsx";
import css from "./people.module.css";
import { texts } from "./texts.ts";

type Entry = Static<typeof ActivityEntry>;

/** The stream does not tell what a person did in an application (track): ten times as much as all that it tells. */
const TRACKED_MS = 15_000;

/** What happened to the person, the newest first. */
export function Timeline({ path }: { path: string }) {
  const t = useTexts(texts);
  const list = useList<Entry>(`${path}/activity`, { limit: 25 }, { everyMs: TRACKED_MS });
  return (
    <Section title={t("timeline")}>
      <Answer of={list}>
        {() => (list.rows.length === 0 ? <p className="quiet">{t("noTimeline")}</p> : <Entries entries={list.rows} />)}
      </Answer>
      {list.hasNextPage && (
        <Button
          mt="sm"
          variant="default"
          size="xs"
          loading={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        >
          {t("older")}
        </Button>
      )}
    </Section>
  );
}

function Entries({ entries }: { entries: readonly Entry[] }) {
  const format = useFormat();
  const { id: workspace } = useWorkspace();
  return (
    <ol className={css.entries}>
      {entries.map(({ id, type, at, channel, delivery_id: delivery, data }) => (
        <li key={id} className={css.entry}>
          <Icon name={channel ? channelIcon[channel] : "clock"} />
          {delivery ? (
            <Link to="/w/$workspace/deliveries" params={{ workspace }} search={{ open: delivery }}>
              <EntryName type={type} data={data} />
            </Link>
          ) : (
            <EntryName type={type} data={data} />
          )}
          <time className="quiet" dateTime={at} title={format.instant(at)}>
            {format.ago(at)}
          </time>
          {"properties" in data && Object.keys(data.properties as object).length > 0 && (
            <div className={`${css.entryData} mono quiet`}>{JSON.stringify(data.properties)}</div>
          )}
        </li>
      ))}
    </ol>
  );
}
