import { Link, type LinkProps } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useFormat } from "../language/format.ts";
import css from "./list.module.css";

interface AuthoredRowProps {
  link: LinkProps;
  name: string;
  /** What else to know, in a line of grey text. */
  about?: ReactNode;
  /** Its state, mostly a Badge, and figures. */
  children?: ReactNode;
  /** When it was changed last, or another time that its list is about. */
  at: string;
}

/** One authored thing in its list, a link to its page. */
export function AuthoredRow({ link, name, about, children, at }: AuthoredRowProps) {
  const format = useFormat();
  return (
    <Link {...link} className={css.row ?? ""}>
      <span className={css.name}>
        <span className="cut">{name}</span>
        {about && <span className={`${css.about} quiet cut`}>{about}</span>}
      </span>
      <span className={css.state}>{children}</span>
      <time className={`${css.time} quiet numbers`} dateTime={at} title={format.instant(at)}>
        {format.ago(at)}
      </time>
    </Link>
  );
}
