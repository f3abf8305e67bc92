import { InboxCard } from "./card.tsx";
import { useInbox } from "../hooks.ts";
import { useProviderContext } from "../provider.tsx";

/** The properties of `InboxList`. */
export interface InboxListProps {
  /** Whether a card is marked as read once it was seen. Default true; see `InboxCard`. */
  readWhenSeen?: boolean | undefined;
}

/** Shows the cards of the person, newest first. */
export function InboxList({ readWhenSeen }: InboxListProps) {
  const { labels } = useProviderContext();
  const { items, hasMore, more } = useInbox();
  if (items.length === 0) return <p className="tidings-empty">{labels.emptyInbox}</p>;
  return (
    <div className="tidings-inbox">
      <ul className="tidings-cards">
        {items.map((item) => (
          <li key={item.delivery_id}>
            <InboxCard item={item} readWhenSeen={readWhenSeen} />
          </li>
        ))}
      </ul>
      {hasMore && (
        <button className="tidings-link" onClick={() => void more()} type="button">
          {labels.more}
        </button>
      )}
    </div>
  );
}
