import { Link } from "@tanstack/react-router";
import { channelIcon } from "../../activity/delivery.ts";
import { EntryName } from "../../activity/entry-name.tsx";
import { Status } from "../../activity/status.tsx";
import { whatOf } from "../../activity/what.ts";
import { useWorkspace } from "../../platform/call/workspace.ts";
import { useFormat } from "../../platform/language/format.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { Icon, type IconName } from "../../platform/look/icons.tsx";
import css from "../people.module.css";
import { texts } from "../texts.ts";
import type { Entry } from "./timeline.tsx";

const ICONS: Record<string, IconName> = {
  "person.tracked": "window",
  "person.device_added": "phone",
  campaign: "right",
};
/** What an entry makes its message, where it has another name. */
const MADE: Record<string, string> = { dismiss: "dismissed", impression: "shown" };
/** Parts of an entry that its name, its link or its message says already. */
const SAID = ["run_id", "name", "source", "attempt", "provider_message_id", "recipient"];

interface TimelineEntryProps {
  entry: Entry;
  /** What happened to the same message shortly before, the latest first. */
  earlier: readonly Entry[];
}

/** One thing that happened, with a link to the message or the run that it is about. */
export function TimelineEntry({ entry, earlier }: TimelineEntryProps) {
  const format = useFormat();
  const { type, at, channel, data, status } = entry;
  const about = type.split(".", 1)[0] as string;
  const icon = channel ? channelIcon[channel] : (ICONS[type] ?? ICONS[about] ?? "people");
  const what = type.split(".")[1] ?? "";
  const last = status === (MADE[what] ?? what);
  const message = whatOf(entry);
  return (
    <li className={css.entry}>
      <Icon name={icon} />
      <span className={css.entryText}>
        <To entry={entry}>
          <EntryName type={type} data={data} />
        </To>
        {message && <span className="quiet"> · {message}</span>}
      </span>
      <span className={css.entryEnd}>
        {/* What the message is by now, where this entry is not that. */}
        {status && !last && <Status of={status} />}
        <time className="quiet numbers" dateTime={at} title={format.instant(at)}>
          {format.time(at)}
        </time>
      </span>
      <EntryData entry={entry} />
      {earlier.map((one) => (
        <Earlier key={one.id} entry={one} />
      ))}
    </li>
  );
}

/** One of the things that led to the entry above it. */
function Earlier({ entry }: { entry: Entry }) {
  const format = useFormat();
  const { type, at, data } = entry;
  return (
    <div className={`${css.earlier} quiet`}>
      <span>
        <EntryName type={type} data={data} />
      </span>
      <time className="numbers" dateTime={at} title={format.instant(at)}>
        {format.time(at)}
      </time>
      <EntryData entry={entry} />
    </div>
  );
}

function To({ entry: { delivery_id: delivery, data }, children }: { entry: Entry; children: React.ReactNode }) {
  const { id: workspace } = useWorkspace();
  if (delivery)
    return (
      <Link to="/w/$workspace/deliveries" params={{ workspace }} search={{ open: delivery }}>
        {children}
      </Link>
    );
  const run = data.run_id;
  if (typeof run === "string")
    return (
      <Link from="/w/$workspace/people/$person" to="." search={{ tab: "runs", run }}>
        {children}
      </Link>
    );
  return children;
}

/** The values that say more about an entry: an event's properties, the attributes that came, who unsubscribed where. */
function EntryData({ entry: { type, data } }: { entry: Entry }) {
  const t = useTexts(texts);
  const text = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
  const { properties, attributes, ...others } = data as Record<string, unknown>;
  const values = type === "person.tracked" ? ((properties ?? {}) as Record<string, unknown>) : others;
  const own = type === "person.tracked" ? [] : SAID;
  const parts = Object.entries(values).filter(([key, value]) => value !== null && value !== "" && !own.includes(key));
  if (Array.isArray(attributes) && attributes.length > 0)
    return <div className={`${css.entryData} quiet`}>{t("cameWith", { names: attributes.join(", ") })}</div>;
  if (parts.length === 0) return null;
  return (
    <dl className={`${css.entryData} quiet`}>
      {parts.map(([name, value]) => (
        <div key={name}>
          <dt>{name.replaceAll("_", " ")}</dt>
          <dd className="mono">{text(value)}</dd>
        </div>
      ))}
    </dl>
  );
}
