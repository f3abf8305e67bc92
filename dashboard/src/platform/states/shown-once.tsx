import { Button, Group, Modal, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { useTexts } from "../language/texts.ts";
import { Copy } from "./copy.tsx";
import css from "./states.module.css";
import { texts } from "./texts.ts";

/** A secret to read and copy. */
export const Secret = ({ name, value }: { name: string; value: string }) => (
  <div className={css.secret}>
    <code>{value}</code>
    <Copy value={value} what={name} />
  </div>
);

interface ShownOnceProps {
  title: string;
  lead: ReactNode;
  /** A single value needs no name to be told from others. */
  values: readonly { name: string; value: string }[];
  onClose: () => void;
}

/** The one time that a secret is shown. A click beside the dialog does not close it. */
export function ShownOnce({ title, lead, values, onClose }: ShownOnceProps) {
  const t = useTexts(texts);
  return (
    <Modal opened onClose={onClose} title={title} closeOnClickOutside={false} size="lg">
      <p className="quiet">{lead}</p>
      <Stack gap="xs">
        {values.map(({ name, value }) => (
          <div key={name}>
            {values.length > 1 && <span className="quiet">{name}</span>}
            <Secret name={name} value={value} />
          </div>
        ))}
      </Stack>
      <Group justify="flex-end" mt="md">
        <Button onClick={onClose}>{t("done")}</Button>
      </Group>
    </Modal>
  );
}
