import { type ReactNode, useId } from "react";
import { useFormat } from "../language/format.ts";
import { Icon } from "../look/icons.tsx";
import css from "./opening-row.module.css";

interface OpeningRowProps {
  what: ReactNode;
  /** What else to know, below it in grey. */
  more: ReactNode;
  /** When it happened, as an ISO time. */
  at: string;
  open: boolean;
  onOpen: () => void;
  /** What the open row shows. */
  children: ReactNode;
}

/** A row of a List that tells in two lines what happened, and opens to the rest. */
export function OpeningRow({ what, more, at, open, onOpen, children }: OpeningRowProps) {
  const format = useFormat();
  const id = useId();
  return (
    <li>
      <button type="button" className={css.head} aria-expanded={open} aria-controls={id} onClick={onOpen}>
        <span className={css.what}>
          {what}
          <br />
          <span className={`${css.more} quiet`}>{more}</span>
        </span>
        <time className={`${css.time} quiet`} dateTime={at} title={format.instant(at)}>
          {format.ago(at)}
        </time>
        <Icon name="down" />
      </button>
      <div id={id} hidden={!open} className={css.body}>
        {open && children}
      </div>
    </li>
  );
}
