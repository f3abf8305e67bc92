import { CloseButton, Drawer } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useRead } from "../platform/call/queries.ts";
import { useWorkspace } from "../platform/call/workspace.ts";
import { useFormat } from "../platform/language/format.ts";
import { useTexts } from "../platform/language/texts.ts";
import { Facts, Section } from "../platform/look/parts.tsx";
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
    <Drawer
      opened={id !== undefined}
      onClose={onClose}
      position="right"
      size={600}
      padding="lg"
      overlayProps={{ backgroundOpacity: 0.15 }}
      attributes={{ content: { "aria-label": t("delivery") } }}
    >
      {id && <Opened key={id} id={id} onClose={onClose} onOpen={onOpen} />}
    </Drawer>
  );
}

function Opened({ id, onClose, onOpen }: DrawerProps & { id: string }) {
  const t = useTexts(texts);
  const read = useRead<DeliveryDetail>(`/deliveries/${encodeURIComponent(id)}`);
  const close = <CloseButton onClick={onClose} aria-label={t("close")} />;
  if (!read.data)
    return (
      <>
        <div className={css.drawerHead}>
          <div className={css.drawerTitle} />
          {close}
        </div>
        <Answer of={read} loading={<Loading rows={8} />}>
          {() => null}
        </Answer>
      </>
    );
  return <Detail delivery={read.data} close={close} onOpen={onOpen} />;
}

function Detail({
  delivery,
  close,
  onOpen,
}: {
  delivery: DeliveryDetail;
  close: React.ReactNode;
  onOpen: (id: string) => void;
}) {
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
      <div className={css.drawerHead}>
        <div className={css.drawerTitle}>
          <h2>{typeof subject === "string" && subject ? subject : (recipient ?? person ?? t("erased"))}</h2>
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
        </div>
        {close}
      </div>
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
