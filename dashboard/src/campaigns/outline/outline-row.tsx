import { memo, useId } from "react";
import { useTexts } from "../../platform/language/texts.ts";
import { Icon } from "../../platform/look/icons.tsx";
import type { Draft } from "../campaign-shape.ts";
import type { Badges } from "../canvas/context.ts";
import { iconOf } from "../canvas/icons.ts";
import { type Item, stepOfKey } from "../model/items.ts";
import { useWords } from "../words/use-words.ts";
import css from "./outline.module.css";
import { texts } from "./texts.ts";

interface OutlineRowProps {
  item: Item;
  draft: Draft;
  isChosen: boolean;
  /** Undefined where nothing is inside. */
  expanded: boolean | undefined;
  problems: number;
  held: string | undefined;
  nameOf: (id: string) => string | undefined;
  badges: Badges | undefined;
  onChoose: (key: string) => void;
  onOpen: (open: boolean) => void;
  onAdd: ((key: string) => void) | undefined;
  onFold: (key: string, close: boolean) => void;
}

/** One row: the start, a step, or a way. A row is drawn again only if what it shows has changed. */
export const OutlineRow = memo(function OutlineRow(props: OutlineRowProps) {
  const { item, draft, isChosen, expanded, problems, held, nameOf, badges, onChoose, onOpen, onAdd, onFold } = props;
  const t = useTexts(texts);
  const words = useWords(nameOf);
  const label = useId();
  const [title, detail] = saidOf(item, draft, words);
  const level = item.kind === "start" ? 1 : item.depth + 1;
  const id = stepOfKey(item.key);
  const numbers = item.kind === "step" ? badges?.(item.step.id, isChosen) : undefined;
  return (
    <div
      role="treeitem"
      aria-level={level}
      aria-selected={isChosen}
      aria-expanded={expanded}
      aria-setsize={item.kind === "start" ? undefined : item.of}
      aria-posinset={item.kind === "start" ? undefined : item.index + 1}
      aria-labelledby={label}
      tabIndex={isChosen ? 0 : -1}
      data-kind={item.kind}
      data-held={item.kind === "step" && held === id}
      className={css.row}
      style={{ paddingInlineStart: 8 + (level - 1) * 18 }}
      onClick={() => {
        onChoose(item.key);
        onOpen(true);
      }}
      // The focus may come from a screen reader: keys are about the row that has it.
      onFocus={() => !isChosen && onChoose(item.key)}
      // Its keys are those of the tree around it.
      onKeyDown={undefined}
    >
      <FoldButton expanded={expanded} onFold={(close) => onFold(item.key, close)} />
      {item.kind !== "way" && <Icon name={item.kind === "start" ? "play" : iconOf(item.step)} />}
      <span className={css.words}>
        <span id={label} className={css.name}>
          <span className={css.title}>{title}</span> {detail && <span className={`${css.detail} quiet`}>{detail}</span>}{" "}
          {/* A row is called as it reads: what only a screen reader says comes last. */}
          <span className="visually-hidden">
            {numbers?.said} {item.kind === "step" && `(${item.step.id})`}{" "}
            {problems > 0 && t("problems", { count: problems })}
          </span>
        </span>
        {numbers && <span className={css.badges}>{numbers.shown}</span>}
      </span>
      {problems > 0 && (
        <span className={css.problems}>
          <Icon name="warn" size={14} />
        </span>
      )}
      {onAdd && <AddButton isMove={held !== undefined} onAdd={() => onAdd(item.key)} />}
    </div>
  );
}, isSame);

/** Opens and closes what is inside of a row; its place stays where nothing is. */
function FoldButton({ expanded, onFold }: { expanded: boolean | undefined; onFold: (close: boolean) => void }) {
  const t = useTexts(texts);
  if (expanded === undefined) return <span className={css.fold} />;
  return (
    <button
      type="button"
      tabIndex={-1}
      className={css.fold}
      aria-label={t(expanded ? "close" : "open")}
      data-open={expanded}
      onClick={(event) => {
        event.stopPropagation();
        onFold(expanded);
      }}
    >
      <Icon name="right" size={12} />
    </button>
  );
}

/** Puts a step, or the one that was picked up, behind the row. */
function AddButton({ isMove, onAdd }: { isMove: boolean; onAdd: () => void }) {
  const t = useTexts(texts);
  const label = t(isMove ? "moveHere" : "addAfter");
  return (
    <button
      type="button"
      tabIndex={-1}
      className={css.add}
      aria-label={label}
      title={label}
      data-held={isMove}
      onClick={(event) => {
        event.stopPropagation();
        onAdd();
      }}
    >
      <Icon name="plus" size={14} />
    </button>
  );
}

function saidOf(item: Item, { trigger, reentry }: Draft, words: ReturnType<typeof useWords>): [string, string] {
  if (item.kind === "start") return [words.trigger(trigger), words.reentry(reentry)];
  if (item.kind === "way") return [words.way(item.step, item.list), ""];
  return [words.title(item.step), words.detail(item.step)];
}

/** The draft counts for the start only, and the item for what it shows. */
function isSame(one: OutlineRowProps, other: OutlineRowProps): boolean {
  const { item: a, draft: was, ...mine } = one;
  const { item: b, draft: is, ...theirs } = other;
  if ((Object.keys(mine) as (keyof typeof mine)[]).some((name) => mine[name] !== theirs[name])) return false;
  if (a.kind === "start" || b.kind === "start")
    return a.kind === b.kind && was.trigger === is.trigger && was.reentry === is.reentry;
  return a.step === b.step && a.depth === b.depth && a.index === b.index && a.of === b.of;
}
