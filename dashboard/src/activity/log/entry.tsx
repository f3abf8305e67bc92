import { Link } from "@tanstack/react-router";
import { useWorkspace } from "../../platform/call/workspace.ts";
import { useFormat } from "../../platform/language/format.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { Icon, type IconName } from "../../platform/look/icons.tsx";
import { channelIcon, channels, toneOf } from "../delivery.ts";
import { EntryName } from "../entry-name.tsx";
import type { FeedEntry } from "./feed.ts";
import css from "./log.module.css";
import { texts } from "../texts.ts";

const iconOf = (about: string): IconName => {
  const channel = channels.find((one) => one === about);
  if (channel) return channelIcon[channel];
  return about === "person" ? "people" : about === "campaign" ? "send" : "clock";
};

interface LogEntryProps {
  entry: FeedEntry;
  /** The names of the newest sources, by their ids. */
  names: ReadonlyMap<string, string>;
}

/** One entry: what happened, to whom, and from where it came. It leads to the delivery, or else to the person. */
export function LogEntry({ entry: { type, timestamp, data }, names }: LogEntryProps) {
  const t = useTexts(texts);
  const format = useFormat();
  const { id: workspace } = useWorkspace();
  const { person_id: person, delivery_id: delivery, source, recipient, details } = data;
  const [about = "", what = ""] = type.split(".");
  const name = <EntryName type={type} data={details} />;
  const reason = details.reason ?? details.error ?? details.bounce_type;
  return (
    <div className={css.entry}>
      <time className={`${css.time} quiet numbers`} dateTime={timestamp} title={format.instant(timestamp)}>
        {format.time(timestamp)}
      </time>
      <span className={css.what} data-tone={toneOf(what as never)}>
        <Icon name={iconOf(about)} size={14} />
        {delivery ? (
          <Link
            to="/w/$workspace/deliveries"
            params={{ workspace }}
            search={{ open: delivery }}
            className={`${css.main} cut`}
          >
            {name}
          </Link>
        ) : person ? (
          <Link to="/w/$workspace/people/$person" params={{ workspace, person }} className={`${css.main} cut`}>
            {name}
          </Link>
        ) : (
          <span className="cut">{name}</span>
        )}
        {typeof reason === "string" && <q className={`${css.reason} quiet cut`}>{reason}</q>}
      </span>
      <span className={`${css.who} cut`}>
        {person ? (
          <Link to="/w/$workspace/people/$person" params={{ workspace, person }} className={css.person ?? ""}>
            {recipient ?? person}
          </Link>
        ) : (
          <span className="quiet">{recipient ?? (delivery ? t("erased") : "")}</span>
        )}
      </span>
      <span className={`${css.source} quiet cut`}>
        {source && [names.get(data.source_id ?? "") ?? t(source), data.step_id].filter(Boolean).join(" · ")}
      </span>
    </div>
  );
}
