import type { Message } from "@tidings/web";
import { useId, useRef } from "react";
import { CloseButton, Content } from "./content.tsx";
import { useMessages } from "../hooks.ts";
import { useProviderContext } from "../provider.tsx";
import { useSeen } from "../visible.ts";

/** The properties of `InAppInline`. */
export interface InAppInlineProps {
  /** The most messages to show; all by default. */
  limit?: number | undefined;
  /** Shows only messages for which it returns true, for a screen with several `InAppInline`. */
  filter?: ((message: Message) => boolean) | undefined;
}

/** Shows the inline messages of this screen at its place in the page. */
export function InAppInline({ limit, filter }: InAppInlineProps) {
  const messages = useMessages("inline").filter((message) => filter?.(message) ?? true);
  return messages.slice(0, limit).map((message) => <Inline key={message.delivery_id} message={message} />);
}

function Inline({ message }: { message: Message }) {
  const { client, labels } = useProviderContext();
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
