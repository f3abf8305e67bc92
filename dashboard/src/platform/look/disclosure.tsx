import type { ReactNode } from "react";
import css from "./parts.module.css";

interface DisclosureProps {
  title: string;
  /** Opens it, and leaves it to the reader where undefined. */
  open?: true | undefined;
  children: ReactNode;
}

/** What is needed seldom, behind its title. */
export function Disclosure({ title, open, children }: DisclosureProps) {
  return (
    <details className={css.disclosure} open={open}>
      <summary>{title}</summary>
      {children}
    </details>
  );
}
