import { Button, Group, Modal, type ModalProps, Stack } from "@mantine/core";
import { type ReactNode, useState } from "react";
import type { WrittenCall } from "../code/call-text.ts";
import { FoldedCall } from "../code/as-call.tsx";
import { sessionEnded } from "../call/session.ts";
import { type Texts, useTexts } from "../language/texts.ts";
import { closeTexts } from "../look/texts.ts";
import { useStore } from "../store.ts";
import type { Form } from "./form.ts";
import css from "./form.module.css";
import type { Values } from "./merge.ts";
import { FormProblem, UnsavedGuard, unsavedTexts } from "./parts.tsx";

const texts = { ...unsavedTexts, ...closeTexts, cancel: ["Cancel", "Abbrechen"] } satisfies Texts;

interface FormDialogProps<V extends Values> {
  title: string;
  form: Form<V>;
  /** The words on the button that saves. */
  yes: string;
  bad?: boolean;
  size?: ModalProps["size"];
  onClose: () => void;
  /** Whether the member may only look. */
  off?: boolean;
  /** Beside the buttons: what else one can do with it. */
  aside?: ReactNode;
  /** How a program does the same. */
  asCall?: WrittenCall | undefined;
  /** Instead of what the service said, where the form says it better. */
  problem?: ReactNode;
  children: ReactNode;
}

/** A form in a dialog. It asks before it closes over something that was typed. */
export function FormDialog<V extends Values>(props: FormDialogProps<V>) {
  const { title, form, yes, bad = false, size = "md", off = false, aside, asCall, onClose, problem, children } = props;
  const t = useTexts(texts);
  const [leaving, setLeaving] = useState(false);
  // What is being saved may lead to its page; not so while it waits for somebody to sign in again.
  const ended = useStore(sessionEnded);
  const close = () => (form.dirty && !form.busy ? setLeaving(true) : onClose());
  return (
    <Modal opened onClose={leaving ? () => setLeaving(false) : close} title={title} size={size}>
      <form onSubmit={form.onSubmit}>
        <Stack gap="md">
          {children}
          {problem ?? <FormProblem problem={form.problem} />}
          {leaving && (
            <p className={css.leaving} role="alert">
              {t("unsaved")} {t("unsavedBody")}
            </p>
          )}
          <Group justify="flex-end">
            {aside && <span className={css.aside}>{aside}</span>}
            <Button variant="default" onClick={leaving ? onClose : close}>
              {t(leaving ? "leave" : off ? "close" : "cancel")}
            </Button>
            {leaving ? (
              <Button key="stay" autoFocus onClick={() => setLeaving(false)}>
                {t("stay")}
              </Button>
            ) : (
              !off && (
                <Button key="yes" type="submit" loading={form.busy} {...(bad && { color: "red" })}>
                  {yes}
                </Button>
              )
            )}
          </Group>
          {asCall && <FoldedCall of={asCall} />}
        </Stack>
      </form>
      <UnsavedGuard dirty={form.dirty && (!form.busy || ended)} />
    </Modal>
  );
}
