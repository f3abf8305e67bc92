import { CloseButton, Drawer } from "@mantine/core";
import type { ReactNode } from "react";
import { useTexts } from "../language/texts.ts";
import css from "./parts.module.css";
import { closeTexts } from "./texts.ts";

/** Returns the props with which a dialog or a drawer shows Mantine's own close button. It has no name by itself. */
export function useCloseButton() {
  const t = useTexts(closeTexts);
  return { withCloseButton: true, closeButtonProps: { "aria-label": t("close") } };
}

interface SideDrawerProps {
  opened: boolean;
  /** What it shows, for screen readers. */
  label: string;
  onClose: () => void;
  size?: number;
  children: ReactNode;
}

/** One row of a list in full, beside the list. Escape and a click beside it close it. */
export function SideDrawer({ opened, label, onClose, size = 600, children }: SideDrawerProps) {
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      position="right"
      size={size}
      padding="lg"
      overlayProps={{ backgroundOpacity: 0.15 }}
      attributes={{ content: { "aria-label": label } }}
    >
      {children}
    </Drawer>
  );
}

interface SideDrawerHeadProps {
  /** Nothing as long as it is read. */
  title: ReactNode;
  /** Below the title. */
  meta?: ReactNode;
  /** Beside the title. */
  aside?: ReactNode;
  onClose: () => void;
}

/** The title of a side drawer, and the button that closes it. */
export function SideDrawerHead({ title, meta, aside, onClose }: SideDrawerHeadProps) {
  const t = useTexts(closeTexts);
  return (
    <div className={css.drawerHead}>
      <div className={css.drawerTitle}>
        {title && <h2>{title}</h2>}
        {meta}
      </div>
      {aside}
      <CloseButton onClick={onClose} aria-label={t("close")} />
    </div>
  );
}
