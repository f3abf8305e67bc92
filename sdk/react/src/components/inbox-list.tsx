import { InboxCard } from "./card.tsx";
import { useInbox } from "../hooks.ts";
import { useAround } from "../provider.tsx";

/** What `InboxList` takes. */
export interface InboxListProps {
  /** As in `InboxCard`. */
  readWhenSeen?: boolean | undefined;
}

/** The cards of the person, newest first. */
export function InboxList({ readWhenSeen }: InboxListProps) {
  const { labels } = useAround();
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
