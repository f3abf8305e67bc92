import { Button, Group, Modal } from "@mantine/core";
import { useBlocker } from "@tanstack/react-router";
import { isBusy, Refusal } from "../call/refusal.ts";
import { type Texts, useTexts } from "../language/texts.ts";
import { Note } from "../look/parts.tsx";
import { texts as states } from "../states/texts.ts";
import css from "./form.module.css";
import { Fault } from "../states/fault.tsx";

/** What is said before something typed is left. */
export const unsavedTexts = {
  unsaved: ["Leave without saving?", "Ohne Speichern verlassen?"],
  unsavedBody: ["What you changed here is not saved yet.", "Ihre Änderungen hier sind noch nicht gespeichert."],
  stay: ["Stay", "Bleiben"],
  leave: ["Leave", "Verlassen"],
} satisfies Texts;

/** Asks before unsaved changes are left: by a link, the back button, or closing the window. */
export function UnsavedGuard({ dirty }: { dirty: boolean }) {
  const t = useTexts(unsavedTexts);
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => dirty && current.pathname !== next.pathname,
    enableBeforeUnload: dirty,
    withResolver: true,
  });
  return (
    <Modal
      opened={blocker.status === "blocked"}
      onClose={() => blocker.reset?.()}
      title={t("unsaved")}
      size="sm"
      zIndex={280}
    >
      <p className={css.said}>{t("unsavedBody")}</p>
      <Group justify="flex-end">
        <Button variant="default" onClick={() => blocker.proceed?.()}>
          {t("leave")}
        </Button>
        <Button data-autofocus onClick={() => blocker.reset?.()}>
          {t("stay")}
        </Button>
      </Group>
    </Modal>
  );
}

/** What the service said about the form as a whole. */
export function FormProblem({ problem }: { problem: Error | undefined }) {
  const t = useTexts(states);
  if (!problem) return null;
  const wait = problem instanceof Refusal && problem.retryAfter;
  return (
    <Note tone="bad" role="alert">
      <Fault of={problem} />
      {wait ? ` ${t("wait", { seconds: wait })}` : ""}
    </Note>
  );
}

/** Says that the service is busy and is asked again, while a `patient` call waits for that. */
export function Busy({ of }: { of: { failureReason: Error | null; error: Error | null } }) {
  const t = useTexts(states);
  if (of.error || !isBusy(of.failureReason)) return null;
  return (
    <div role="status">
      <Note tone="warn">{t("busy", { seconds: of.failureReason.retryAfter ?? 1 })}</Note>
    </div>
  );
}
