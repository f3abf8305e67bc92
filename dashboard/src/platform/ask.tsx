import { Button, Group, Modal } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { FormProblem } from "./form/parts.tsx";
import { type Texts, useTexts } from "./language/texts.ts";

const texts = { keep: ["Cancel", "Abbrechen"] } satisfies Texts;

interface AskProps {
  title: string;
  /** What it does, before it is done. */
  children: ReactNode;
  /** The words on the button that does it. */
  yes: string;
  /** Those on the one that leaves it, where "Cancel" could mean either. */
  no?: string | undefined;
  bad?: boolean;
  /** Whether what has to be typed or chosen first is there. */
  ready?: boolean;
  onYes: () => Promise<unknown>;
  onClose: () => void;
}

/** Asks before something that can't be taken back. A refusal is shown in the dialog, which stays open. */
export function Ask({ title, children, yes, no, bad = false, ready = true, onYes, onClose }: AskProps) {
  const t = useTexts(texts);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Error>();
  const run = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      await onYes();
      onClose();
    } catch (error) {
      setProblem(error as Error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Modal opened onClose={onClose} title={title} zIndex={260}>
      <div>{children}</div>
      <FormProblem problem={problem} />
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={onClose} data-autofocus>
          {no ?? t("keep")}
        </Button>
        <Button {...(bad && { color: "red" })} loading={busy} disabled={!ready} onClick={() => void run()}>
          {yes}
        </Button>
      </Group>
    </Modal>
  );
}
