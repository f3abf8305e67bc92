import type { Message } from "@tidings/web";
import { useId, useRef } from "react";
import { CloseButton, Content } from "./content.tsx";
import { useOverlay } from "../overlays.ts";
import { useBeforePaint } from "../paint.ts";
import { useProviderContext } from "../provider.tsx";
import { useSeen } from "../visible.ts";

/** Shows the modal of this screen, where there is one; one at a time. */
export function InAppModal() {
  const message = useOverlay("modal");
  return message ? <Modal key={message.delivery_id} message={message} /> : null;
}

function Modal({ message }: { message: Message }) {
  const { client, labels } = useProviderContext();
  const dialog = useRef<HTMLDialogElement>(null);
  const leaving = useRef(false);
  const [title, body] = [useId(), useId()];
  const dismiss = (reason: string) => client.dismiss(message.delivery_id, reason);
  useSeen(dialog, () => client.impression(message.delivery_id));
  useBeforePaint(() => {
    const element = dialog.current;
    if (!element) return;
    leaving.current = false;
    element.showModal();
    return () => {
      leaving.current = true;
      // The dialog is closed while it is still in the page: then the browser returns the focus to where it was.
      element.close();
    };
  }, []);
  const named = message.content.title ? { "aria-labelledby": title } : { "aria-label": labels.message };
  return (
    <dialog
      {...named}
      aria-describedby={body}
      className="tidings-modal"
      // A press beside the dialog cancels it, as Escape does.
      closedby="any"
      data-tidings-delivery={message.delivery_id}
      onCancel={(event) => {
        if (event.target !== dialog.current) return;
        event.preventDefault();
        dismiss("cancel");
      }}
      // A second Escape in a row closes without a cancel event. A close by our own code is no dismissal by the person.
      onClose={() => !leaving.current && !dialog.current?.open && dismiss("cancel")}
      ref={dialog}
    >
      <div className="tidings-modal-inside">
        <Content bodyId={body} message={message} titleId={title} />
        <CloseButton onClose={() => dismiss("close")} />
      </div>
    </dialog>
  );
}
