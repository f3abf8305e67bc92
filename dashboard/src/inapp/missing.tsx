import type { BroadcastStatus } from "@tidings/contract/messages/broadcasts";
import { Link } from "@tanstack/react-router";
import type { Delivery } from "../activity/delivery.ts";
import type { PersonRead } from "../find-person/person-name.ts";
import { useRead } from "../platform/call/queries.ts";
import { useWorkspace } from "../platform/call/workspace.ts";
import { useFormat } from "../platform/language/format.ts";
import { useTexts } from "../platform/language/texts.ts";
import { Section } from "../platform/look/parts.tsx";
import { Answer, Loading } from "../platform/states/states.tsx";
import { WhyOver } from "./ended.tsx";
import css from "./inapp.module.css";
import { MessageField } from "./message-field.tsx";
import { texts } from "./texts.ts";

/** What is read of a broadcast. */
interface Broadcast {
  id: string;
  name: string;
  status: BroadcastStatus;
  message_id: string | null;
  audience_id: string | null;
  send_at: string | null;
  finished_at: string | null;
  updated_at: string;
}

interface MissingProps {
  person: PersonRead;
  /** The chosen message. */
  message: string | undefined;
  onChange: (message: string | undefined) => void;
  live: ReadonlySet<string>;
  over: readonly Delivery[];
}

/** Why a message is not even in the queue: it is over, was never sent, or this person was not meant. */
export function Missing({ person, message, onChange, live, over }: MissingProps) {
  const t = useTexts(texts);
  const { id: workspace } = useWorkspace();
  const ended = over.find(({ message_id }) => message_id === message);
  return (
    <Section title={t("missing")}>
      <p className="quiet">{t("missingLead")}</p>
      <MessageField
        label={t("message")}
        value={message ?? ""}
        onChange={(id) => onChange(id || undefined)}
        detailed={false}
      />
      <div role="status">
        {message && live.has(message) && <p className={css.said}>{t("isLive")}</p>}
        {message && !live.has(message) && ended && (
          <p className={css.said}>
            {t("isOver")} <WhyOver delivery={ended} />
          </p>
        )}
        {message && !live.has(message) && !ended && <NeverQueued person={person} message={message} />}
      </div>
      <p className={css.said}>
        <Link
          to="/w/$workspace/people/$person"
          params={{ workspace, person: person.person_id }}
          search={{ tab: "runs" }}
        >
          {t("runs")}
        </Link>
      </p>
    </Section>
  );
}

/** Broadcasts of the message, each with why it did not reach the person. */
function NeverQueued({ person, message }: { person: PersonRead; message: string }) {
  const t = useTexts(texts);
  const read = useRead<{ data: Broadcast[] }>("/broadcasts", { channel: "in_app", limit: 200 });
  return (
    <Answer of={read} loading={<Loading rows={2} />}>
      {({ data }) => {
        const senders = data.filter(({ message_id }) => message_id === message);
        return (
          <>
            <p className={css.said}>{t("neverQueued")}</p>
            {senders.length === 0 && <p className="quiet">{t("noBroadcast")}</p>}
            <ul className={css.plain}>
              {senders.map((broadcast) => (
                <li key={broadcast.id} className={css.ended}>
                  <Sender broadcast={broadcast} person={person} />
                </li>
              ))}
            </ul>
          </>
        );
      }}
    </Answer>
  );
}

function Sender({ broadcast, person }: { broadcast: Broadcast; person: PersonRead }) {
  const t = useTexts(texts);
  const format = useFormat();
  const { name, status, audience_id: audience, send_at: planned, finished_at: finished } = broadcast;
  const newcomer = status === "sent" && finished !== null && person.created_at > finished;
  const time =
    status === "scheduled"
      ? format.instant(planned ?? broadcast.updated_at)
      : format.ago(finished ?? broadcast.updated_at);
  const text = newcomer
    ? t("bc_newcomer", { name, time, seen: format.instant(person.created_at) })
    : t(`bc_${status}`, { name, time });
  return (
    <>
      {text}
      {audience && !newcomer && <Membership audience={audience} person={person.person_id} />}
    </>
  );
}

function Membership({ audience, person }: { audience: string; person: string }) {
  const t = useTexts(texts);
  const { data } = useRead<{ in: boolean; because: string }>(
    `/audiences/${audience}/people/${encodeURIComponent(person)}`,
  );
  if (!data) return null;
  return (
    <p className="quiet">
      {data.in ? t("inAudience") : t("notInAudience")} {!data.in && data.because}
    </p>
  );
}
