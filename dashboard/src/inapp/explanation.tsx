import type { Subscriptions } from "@tidings/contract/audience/subscriptions";
import { useMemo } from "react";
import type { Static } from "typebox";
import type { Delivery } from "../activity/delivery.ts";
import { nameOf, type PersonRead } from "../find-person/person-name.ts";
import { useList, useRead } from "../platform/call/queries.ts";
import { useFormat } from "../platform/language/format.ts";
import { useTexts } from "../platform/language/texts.ts";
import { More } from "../platform/list/more.tsx";
import { Note, Section } from "../platform/look/parts.tsx";
import { Answer, Loading } from "../platform/states/states.tsx";
import { Ended } from "./ended.tsx";
import css from "./inapp.module.css";
import { Missing } from "./missing.tsx";
import type { ExplainSearch } from "./search.ts";
import { texts } from "./texts.ts";
import { type Explained, Verdict } from "./gates/verdict.tsx";

/** How often the question for the present is asked again, and how many messages are named and have ended at most. */
const [AGAIN_MS, NAMED, ENDED] = [10_000, 200, 50];
const SHOWN_ENDED = 10;

interface ExplanationProps {
  person: PersonRead;
  /** With the zone that holds. */
  search: ExplainSearch;
  /** The zone in which times are said. */
  meant: string;
  /** Whether the workspace allows in-app. */
  allowed: boolean;
  onMessage: (message: string | undefined) => void;
}

/** The answer about one person: what is in the queue with its gates, what has left it, and what never was in it. */
export function Explanation({ person, search, meant, allowed, onMessage }: ExplanationProps) {
  const t = useTexts(texts);
  const { screen, timezone, at, delivery: asked, message } = search;
  const path = `/people/${encodeURIComponent(person.person_id)}`;
  const query = { ...(screen && { screen }), ...(timezone && { timezone }), ...(at && { at }) };
  const live = useList<Explained>(`${path}/in-app`, query, { keep: true, ...(!at && { everyMs: AGAIN_MS }) });
  const { rows: deliveries, over } = useOver(person.person_id, live.rows, asked);
  const messages = useRead<{ data: { id: string; name: string }[] }>("/in-app-messages", { limit: NAMED });
  const names = useMemo(() => new Map(messages.data?.data.map(({ id, name }) => [id, name])), [messages.data]);
  const rows = useMemo(
    () => live.rows.toSorted((one, other) => Number(other.delivery_id === asked) - Number(one.delivery_id === asked)),
    [live.rows, asked],
  );
  return (
    <Answer of={live} loading={<Loading rows={8} />}>
      {() => (
        <>
          <Stops path={path} allowed={allowed} />
          <h2 className={css.summary} role="status">
            <Summary rows={live.rows} person={person} search={search} zone={meant} />
          </h2>
          <div className={css.columns}>
            <div>
              {rows.length === 0 && <p className="quiet">{t("noneLiveBody")}</p>}
              <ul className={css.verdicts}>
                {rows.map((one) => (
                  <Verdict
                    key={one.delivery_id}
                    explained={one}
                    name={names.get(one.message_id)}
                    marked={one.delivery_id === asked || one.message_id === message}
                    at={at}
                  />
                ))}
              </ul>
              <More list={live} text={t("older")} />
            </div>
            <div>
              <Section title={t("over")}>
                <p className="quiet">{over.length === 0 ? t("overNone") : t("overLead")}</p>
                <Answer of={deliveries} loading={<Loading rows={3} />}>
                  {() => <Ended deliveries={over.slice(0, SHOWN_ENDED)} names={names} marked={asked} />}
                </Answer>
              </Section>
              <Missing
                person={person}
                message={message}
                onChange={onMessage}
                live={new Set(live.rows.map(({ message_id }) => message_id))}
                over={over}
              />
            </div>
          </div>
        </>
      )}
    </Answer>
  );
}

/** Reads the in-app deliveries of a person that have left the queue, the one that is asked about first. */
function useOver(personId: string, live: readonly Explained[], asked: string | undefined) {
  const rows = useRead<{ data: Delivery[] }>("/deliveries", { person_id: personId, channel: "in_app", limit: ENDED });
  const other = asked !== undefined && !live.some(({ delivery_id }) => delivery_id === asked);
  const one = useRead<Delivery>(`/deliveries/${encodeURIComponent(asked ?? "")}`, {}, { enabled: other });
  const over = useMemo(() => {
    const waiting = new Set(live.map(({ delivery_id }) => delivery_id));
    const all = [...(other && one.data?.channel === "in_app" ? [one.data] : []), ...(rows.data?.data ?? [])];
    const ended = all.filter(({ id, status }) => status !== "queued" && !waiting.has(id));
    return [...new Map(ended.map((delivery) => [delivery.id, delivery])).values()];
  }, [rows.data, one.data, live, other]);
  return { rows, over };
}

/** What stops messages before they are queued. */
function Stops({ path, allowed }: { path: string; allowed: boolean }) {
  const t = useTexts(texts);
  const { data } = useRead<Static<typeof Subscriptions>>(`${path}/subscriptions`);
  const stops = [
    !allowed && t("notAllowed"),
    data && !data.subscribed && t("notSubscribed"),
    data?.subscribed && !data.channels.in_app && t("channelOff"),
  ].filter((text) => typeof text === "string");
  if (stops.length === 0) return null;
  return (
    <div className={css.notes}>
      {stops.map((text) => (
        <Note key={text} tone="warn">
          {text}
        </Note>
      ))}
    </div>
  );
}

interface SummaryProps {
  rows: readonly Explained[];
  person: PersonRead;
  search: ExplainSearch;
  zone: string;
}

function Summary({ rows, person, search: { screen, at }, zone }: SummaryProps) {
  const t = useTexts(texts);
  const format = useFormat();
  const who = nameOf(person) ?? person.person_id;
  if (rows.length === 0) return `${who}: ${t("noneLive")}`;
  const shown = rows.filter(({ eligible }) => eligible).length;
  const time = at ? `${t("atTime", { time: format.instant(at, zone) })} (${zone})` : "";
  const counted = t("summary", { shown, count: rows.length });
  return `${who}: ${[counted, t("on", { screen: screen ?? t("anyScreen") }), time].filter(Boolean).join(" ")}`;
}
