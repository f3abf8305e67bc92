import type { InboxItem } from "@tidings/web";
import { useId, useRef, useState } from "react";
import { CloseButton, Content } from "./content.tsx";
import { useProviderContext } from "../provider.tsx";
import { useSeen } from "../visible.ts";

/** The properties of `InboxCard`. */
export interface InboxCardProps {
  item: InboxItem;
  /** Whether the card is marked as read once it was seen. Default true; with `false` you or the person mark it. */
  readWhenSeen?: boolean | undefined;
}

/** Shows a card of the inbox. A card that was unread when it came in sight keeps looking new while it is displayed. */
export function InboxCard({ item, readWhenSeen = true }: InboxCardProps) {
  const { client, labels } = useProviderContext();
  const article = useRef<HTMLElement>(null);
  const [title, body] = [useId(), useId()];
  const unread = item.read_at === null;
  const [fresh, setFresh] = useState(unread);
  const { delivery_id: id } = item;
  useSeen(article, () => {
    client.impression(id);
    if (readWhenSeen && unread) client.inbox.read(id);
  });
  const toggle = () => {
    setFresh(!unread);
    if (unread) client.inbox.read(id);
    else client.inbox.unread(id);
  };
  return (
    <article
      aria-labelledby={item.content.title ? title : body}
      className={fresh || unread ? "tidings-card tidings-card--unread" : "tidings-card"}
      data-tidings-delivery={id}
      ref={article}
    >
      {(fresh || unread) && <span className="tidings-hidden">{labels.unreadCard}</span>}
      <Content bodyId={body} message={item} titleId={title} />
      <button className="tidings-link" onClick={toggle} type="button">
        {unread ? labels.markRead : labels.markUnread}
      </button>
      <CloseButton onClose={() => client.dismiss(id, "close")} />
    </article>
  );
}
