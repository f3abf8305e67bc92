import type { DeliveryStatus } from "@tidings/contract/facts/activity";
import { useFormat } from "../platform/language/format.ts";
import { useTexts } from "../platform/language/texts.ts";
import type { Tone } from "../platform/look/parts.tsx";
import css from "./activity.module.css";
import { type DeliveryEvent, toneOf } from "./delivery.ts";
import { texts } from "./texts.ts";

// What is no status of a delivery.
const GOOD = new Set(["opened", "clicked", "impression", "click", "read"]);
const WARN = new Set(["attempt", "unsubscribed"]);

function tone(what: string): Tone {
  if (GOOD.has(what)) return "good";
  return WARN.has(what) ? "warn" : toneOf(what as DeliveryStatus);
}

/** What happened to a delivery, from the first, each with what the provider or the application said. */
export function Timeline({ events }: { events: readonly DeliveryEvent[] }) {
  const t = useTexts(texts);
  const format = useFormat();
  const first = events[0]?.at;
  return (
    <ol className={css.events}>
      {events.map(({ type, at, data }, i) => {
        const what = type.split(".")[1] ?? type;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: events of one moment have nothing else that tells them apart
          <li key={`${type} ${at} ${i}`} className={css.event} data-tone={tone(what)}>
            <span>{what in texts ? t(what as keyof typeof texts) : what.replaceAll("_", " ")}</span>
            <time className={`${css.eventTime} numbers`} dateTime={at} title={format.instant(at)}>
              {i === 0 || !first ? format.instant(at) : t("later", { time: format.between(first, at) })}
            </time>
            <EventData data={data} />
          </li>
        );
      })}
    </ol>
  );
}

function EventData({ data }: { data: Record<string, unknown> }) {
  const entries = Object.entries(data).filter(([, value]) => value !== null && value !== "");
  if (entries.length === 0) return null;
  return (
    <div className={css.eventData}>
      {entries.map(([name, value]) => (
        <div key={name}>
          {name.replaceAll("_", " ")}:{" "}
          <span className="mono">{typeof value === "string" ? value : JSON.stringify(value)}</span>
        </div>
      ))}
    </div>
  );
}
