import { Link, type LinkProps } from "@tanstack/react-router";
import { Fragment, type ReactNode, useEffect } from "react";
import { Icon } from "./look/icons.tsx";
import { createStore, useStore } from "./store.ts";
import css from "./trail.module.css";

interface Step {
  text: string;
  link?: LinkProps | undefined;
}
const trail = createStore<readonly Step[]>([]);

/** The way from the top to the open page. */
export function Trail() {
  const steps = useStore(trail);
  return (
    <nav aria-label="Breadcrumb" className={css.trail}>
      {steps.map(({ text, link }, i) => (
        <Fragment key={text}>
          {i > 0 && <Icon name="right" size={12} />}
          {link ? (
            <Link {...link} className={css.step ?? ""}>
              {text}
            </Link>
          ) : (
            <span className={`${css.step} ${css.here}`} aria-current="page">
              {text}
            </span>
          )}
        </Fragment>
      ))}
    </nav>
  );
}

interface PageProps {
  title: string;
  /** Pages above this one, from the top. */
  above?: readonly Step[];
  /** Beside the title: what one can do here. */
  actions?: ReactNode;
  /** Under the title, in a sentence. */
  lead?: ReactNode;
  /** Over the whole width, as lists are. Otherwise a width that reads well. */
  wide?: boolean;
  children: ReactNode;
}

/** A page: its title, also of the window and in the way from the top. */
export function Page({ title, above = [], actions, lead, wide = false, children }: PageProps) {
  const path = JSON.stringify([...above.map(({ text }) => text), title]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the texts say whether the steps are others
  useEffect(() => trail.set([...above, { text: title }]), [path]);
  return (
    <div className={wide ? css.wide : css.page}>
      <title>{`${title} · Tidings`}</title>
      <div className={css.head}>
        <div className={css.headText}>
          <h1 className={css.title}>{title}</h1>
          {lead && <p className={css.lead}>{lead}</p>}
        </div>
        {actions && <div className={css.actions}>{actions}</div>}
      </div>
      {children}
    </div>
  );
}
