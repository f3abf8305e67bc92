import { Link } from "@tanstack/react-router";
import { useRead } from "../platform/call/queries.ts";
import { useWorkspace } from "../platform/call/workspace.ts";
import { useFormat } from "../platform/language/format.ts";
import { useTexts } from "../platform/language/texts.ts";
import { Facts, Section } from "../platform/look/parts.tsx";
import { SideDrawer, SideDrawerHead } from "../platform/look/side-drawer.tsx";
import { Copy } from "../platform/states/copy.tsx";
import { Answer, Loading } from "../platform/states/states.tsx";
import css from "./activity.module.css";
import { type DeliveryDetail, pageOfSource } from "./delivery.ts";
import { DeliveryActions } from "./delivery-actions.tsx";
import { FailureNote } from "./failure/failure-note.tsx";
import { Snapshot } from "./snapshot.tsx";
import { ChannelName, Status } from "./status.tsx";
import { texts } from "./texts.ts";
import { Timeline } from "./timeline.tsx";

interface DrawerProps {
  id: string | undefined;
  onClose: () => void;
  /** Shows another delivery instead. */
  onOpen: (id: string) => void;
}

/** One delivery, beside the list. Its address can be shared. */
export function DeliveryDrawer({ id, onClose, onOpen }: DrawerProps) {
  const t = useTexts(texts);
  return (
    <SideDrawer opened={id !== undefined} label={t("delivery")} onClose={onClose}>
      {id && <Opened key={id} id={id} onClose={onClose} onOpen={onOpen} />}
    </SideDrawer>
  );
}

function Opened({ id, onClose, onOpen }: DrawerProps & { id: string }) {
  const read = useRead<DeliveryDetail>(`/deliveries/${encodeURIComponent(id)}`);
  return (
    <>
      {!read.data && <SideDrawerHead title={undefined} onClose={onClose} />}
      <Answer of={read} loading={<Loading rows={8} />}>
        {(delivery) => <Detail delivery={delivery} onClose={onClose} onOpen={onOpen} />}
      </Answer>
    </>
  );
}

function Detail({ delivery, onClose, onOpen }: Pick<DrawerProps, "onClose" | "onOpen"> & { delivery: DeliveryDetail }) {
  const t = useTexts(texts);
  const format = useFormat();
  const { id: workspace } = useWorkspace();
  const { channel, status, recipient, person_id: person } = delivery;
  const kind = pageOfSource[delivery.source];
  const { source_name: source, message_id: message } = delivery;
  const sourceText = source ? `${t(delivery.source)}: ${source}` : t(delivery.source);
  const subject = delivery.content?.subject ?? delivery.content?.title;
  return (
    <>
      <SideDrawerHead
        title={typeof subject === "string" && subject ? subject : (recipient ?? person ?? t("erased"))}
        meta={
          <div className={css.meta}>
            <Status of={status} />
            <ChannelName of={channel} />
            {kind && delivery.source_id ? (
              <Link to="/w/$workspace/$kind/$id" params={{ workspace, kind, id: delivery.source_id }}>
                {sourceText}
              </Link>
            ) : (
              <span>{sourceText}</span>
            )}
          </div>
        }
        onClose={onClose}
      />
      <FailureNote delivery={delivery} />
      <DeliveryActions delivery={delivery} onOpen={onOpen} />
      <Facts
        of={[
          [t("to"), recipient && <span className="cut">{recipient}</span>],
          [
            t("person"),
            person !== null && (
              <Link to="/w/$workspace/people/$person" params={{ workspace, person }}>
                {person}
              </Link>
            ),
          ],
          [t("queuedAt"), format.instant(delivery.queued_at)],
          [t("dueAt"), ["queued", "sending"].includes(status) && delivery.due_at && format.instant(delivery.due_at)],
          [t("expiresAt"), delivery.expires_at && format.instant(delivery.expires_at)],
          [t("step"), delivery.step_id],
          [t("variant"), delivery.variant],
          [
            t("inAppMessage"),
            message !== null && (
              <Link to="/w/$workspace/in-app-messages/$id" params={{ workspace, id: message }}>
                {delivery.message_name ?? message}
              </Link>
            ),
          ],
          [t("provider"), delivery.provider],
          [
            t("providerId"),
            delivery.provider_message_id && (
              <>
                <code className="cut">{delivery.provider_message_id}</code>
                <Copy value={delivery.provider_message_id} what={t("providerId")} />
              </>
            ),
          ],
          [t("attempts"), delivery.attempts > 1 && format.number(delivery.attempts)],
          [t("impressions"), channel === "in_app" && format.number(delivery.impressions)],
          [
            t("id"),
            <>
              <code className="cut">{delivery.id}</code>
              <Copy value={delivery.id} what={t("id")} />
            </>,
          ],
        ]}
      />
      <Section title={t("timeline")}>
        <Timeline events={delivery.events} />
      </Section>
      <Section title={delivery.sent_at || delivery.shown_at ? t("content") : t("contentWould")}>
        <Snapshot delivery={delivery} />
      </Section>
    </>
  );
}
