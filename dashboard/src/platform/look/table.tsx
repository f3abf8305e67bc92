import type { ReactNode } from "react";
import css from "./table.module.css";

interface TableProps {
  /** Less room between the rows, where a page has several tables. */
  dense?: boolean;
  /** At most 440 px high: the rows scroll below the names of the columns. */
  tall?: boolean;
  /** Other rows are on their way. */
  busy?: boolean;
  /** A `thead` and a `tbody`. A cell with `data-right` is at the right, a row with `data-chosen` has the colour of what is chosen. */
  children: ReactNode;
}

/** A table in a box. What does not fit into a phone scrolls sideways. */
export const Table = ({ dense = false, tall = false, busy = false, children }: TableProps) => (
  <div data-scrolls-sideways className={css.scroll} data-dense={dense} data-tall={tall} aria-busy={busy}>
    <table className={css.table}>{children}</table>
  </div>
);
