import type { Message } from "@tidings/web";
import { useId, useRef } from "react";
import { CloseButton, Content } from "./content.tsx";
import { useMessages } from "../hooks.ts";
import { useAround } from "../provider.tsx";
import { useSeen } from "../visible.ts";

/** What `InAppInline` takes. */
export interface InAppInlineProps {
  /** So many at the most; all by default. */
  limit?: number | undefined;
  /** Only those that it takes, where a screen has several places for them. */
  filter?: ((message: Message) => boolean) | undefined;
}

/** The inline messages of this screen, at the place where it stands. */
export function InAppInline({ limit, filter }: InAppInlineProps) {
  const messages = useMessages("inline").filter((message) => filter?.(message) ?? true);
  return messages.slice(0, limit).map((message) => <Inline key={message.delivery_id} message={message} />);
}

function Inline({ message }: { message: Message }) {
  const { client, labels } = useAround();
  const section = useRef<HTMLElement>(null);
  const [title, body] = [useId(), useId()];
  useSeen(section, () => client.impression(message.delivery_id));
  return (
    <section
      aria-label={message.content.title ?? labels.message}
      className="tidings-inline"
      data-tidings-delivery={message.delivery_id}
      ref={section}
    >
      <Content bodyId={body} message={message} titleId={title} />
      <CloseButton onClose={() => client.dismiss(message.delivery_id, "close")} />
    </section>
  );
}
