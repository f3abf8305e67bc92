import type { Timeline as TimelineShape } from "@tidings/contract/facts/activity";
import { useMemo } from "react";
import type { Static } from "typebox";
import { useList } from "../../platform/call/queries.ts";
import { useFormat } from "../../platform/language/format.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { More } from "../../platform/list/more.tsx";
import { Choice } from "../../platform/look/parts.tsx";
import { Answer, Empty, Loading } from "../../platform/states/states.tsx";
import css from "../people.module.css";
import { kinds } from "../search.ts";
import { texts } from "../texts.ts";
import { folded } from "./folded.ts";
import { TimelineEntry } from "./timeline-entry.tsx";

export type Entry = Static<typeof TimelineShape>["data"][number];

/** What the service calls the entries of each kind. */
const TYPES = {
  events: "person.tracked",
  messages: "email.*,push.*,sms.*,in_app.*",
  campaigns: "campaign.*",
  profile:
    "person.identified,person.subscribed,person.unsubscribed,person.suppressed,person.unsuppressed,person.device_added,person.merged",
} satisfies Record<(typeof kinds)[number], string>;
const AGAIN_MS = 15_000;

interface TimelineProps {
  path: string;
  show: (typeof kinds)[number] | undefined;
  onShow: (show: (typeof kinds)[number] | undefined) => void;
}

/** All that happened to the person in one order, the newest first, by day. */
export function Timeline({ path, show, onShow }: TimelineProps) {
  const t = useTexts(texts);
  const query = { limit: 50, ...(show && { types: TYPES[show] }) };
  const list = useList<Entry>(`${path}/timeline`, query, { everyMs: AGAIN_MS, keep: true });
  return (
    <>
      <search className={css.kinds} aria-label={t("tab_timeline")}>
        <Choice text={t("everything")} chosen={show === undefined} onClick={() => onShow(undefined)} />
        {kinds.map((kind) => (
          <Choice key={kind} text={t(`show_${kind}`)} chosen={show === kind} onClick={() => onShow(kind)} />
        ))}
      </search>
      <Answer of={list} loading={<Loading rows={8} />}>
        {() =>
          list.rows.length === 0 ? (
            <Empty icon="clock" title={show ? t("noneOfKind") : t("noTimeline")}>
              {t("noTimelineBody")}
            </Empty>
          ) : (
            <Days entries={list.rows} />
          )
        }
      </Answer>
      <More list={list} text={t("older")} />
    </>
  );
}

function Days({ entries }: { entries: readonly Entry[] }) {
  const format = useFormat();
  const days = useMemo(() => [...Map.groupBy(entries, ({ at }) => format.date(at))], [entries, format]);
  return days.map(([day, those]) => (
    <section key={day} aria-label={day}>
      <h3 className={css.day}>{day}</h3>
      <ol className={css.entries}>
        {folded(those).map(([entry, ...earlier]) => (
          <TimelineEntry key={entry.id} entry={entry} earlier={earlier} />
        ))}
      </ol>
    </section>
  ));
}
