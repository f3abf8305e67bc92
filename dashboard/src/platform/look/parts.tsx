import { UnstyledButton } from "@mantine/core";
import { Fragment, type ReactNode, useId } from "react";
import { useFormat } from "../language/format.ts";
import { Icon, type IconName } from "./icons.tsx";
import css from "./parts.module.css";

export type Tone = "good" | "bad" | "warn" | "plain";

/** A state in a word. The word says it; the colour helps to find it. */
export function Badge({ tone, children }: { tone: Tone; children: ReactNode }) {
  return <span className={`${css.badge} ${css[tone]}`}>{children}</span>;
}

/** Names and values, one below the other. Those without a value are left out. */
export function Facts({ of }: { of: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className={css.facts}>
      {of
        .filter(([, value]) => value !== null && value !== undefined && value !== false && value !== "")
        .map(([name, value]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
    </dl>
  );
}

/** A part of a page with a title. */
export function Section({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <section className={css.section} aria-labelledby={id}>
      <div className={css.sectionHead}>
        <h2 id={id} className={css.sectionTitle}>
          {title}
        </h2>
        {aside}
      </div>
      {children}
    </section>
  );
}

/** A sentence or two that should be seen, on the colour of what they mean. */
export function Note({ tone, role, children }: { tone: Tone; role?: "alert" | undefined; children: ReactNode }) {
  return (
    <div className={`${css.note} ${css[tone]}`} role={role}>
      {children}
    </div>
  );
}

interface ListProps {
  ordered?: boolean;
  /** What it lists, for those who can't see it. */
  label?: string;
  /** Other rows are on their way. */
  busy?: boolean;
  children: ReactNode;
}

/** A list in a box. Each child is an `li`, such as an Item. */
export function List({ ordered = false, label, busy, children }: ListProps) {
  const Tag = ordered ? "ol" : "ul";
  return (
    <Tag className={css.list} aria-label={label} aria-busy={busy}>
      {children}
    </Tag>
  );
}

/** A row of a List. With `wrap`, what comes after its Lines is below them on a phone. */
export const Item = ({ wrap = false, children }: { wrap?: boolean; children: ReactNode }) => (
  <li className={css.item} data-wrap={wrap}>
    {children}
  </li>
);

/** The text of a row: what it is, and below it in grey what else to know. */
export const Lines = ({ children }: { children: ReactNode }) => <span className={css.lines}>{children}</span>;

/** So many lines of a source are laid out together; the style sheet has their height. */
const LINES = 40;

/**
 * A text as it is, to read and copy. Parts of it that are out of view are not laid out: the call of a campaign with 200 steps has 34,000 characters, and
 * each change of a step writes it anew.
 */
export const Source = ({ text = "" }: { text: string | undefined }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keys
  <pre className={css.source} tabIndex={0}>
    {partsOf(text).map((part, n) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place in the text
      <span key={n} className={css.part}>
        {part}
      </span>
    ))}
  </pre>
);

/** Each part keeps the end of its last line, so that they are the text again one after the other. */
function partsOf(text: string): string[] {
  const lines = text.split(/(?<=\n)/);
  const starts = [...Array(Math.ceil(lines.length / LINES)).keys()].map((n) => n * LINES);
  return starts.map((from) => lines.slice(from, from + LINES).join(""));
}

export const Card = ({ children }: { children: ReactNode }) => <div className={css.card}>{children}</div>;

interface ChoiceProps {
  text: string;
  chosen: boolean;
  onClick: () => void;
  /** How many things it would show. */
  count?: number | undefined;
  tone?: Tone;
  icon?: IconName;
}

/** One of a few words that choose what a list shows, with the number of those things. */
export function Choice({ text, chosen, onClick, count, tone = "plain", icon }: ChoiceProps) {
  const { number } = useFormat();
  return (
    <UnstyledButton className={css.choice ?? ""} aria-pressed={chosen} data-tone={tone} onClick={onClick}>
      {icon && <Icon name={icon} size={14} />}
      {text}
      {count !== undefined && <span className="numbers quiet">{number(count)}</span>}
    </UnstyledButton>
  );
}

/** Choices of which one is taken, with a name for those who can't see them. */
export const Choices = ({ of, children }: { of: string; children: ReactNode }) => (
  <fieldset className={css.choices} aria-label={of}>
    {children}
  </fieldset>
);
