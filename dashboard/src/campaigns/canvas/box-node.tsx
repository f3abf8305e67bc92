import { Handle, type NodeProps, Position } from "@xyflow/react";
import { memo, useEffect, useLayoutEffect, useRef } from "react";
import { isField, isInDialog } from "../../platform/keys.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { Icon, type IconName } from "../../platform/look/icons.tsx";
import type { Item } from "../model/items.ts";
import { useWords } from "../words/use-words.ts";
import css from "./canvas.module.css";
import { useCanvas } from "./context.ts";
import { iconOf } from "./icons.ts";
import { texts } from "./texts.ts";
import type { BoxOf } from "./use-graph.ts";

/** One box: the start, a step, or the name of a way. */
export const BoxNode = memo(function BoxNode({ data: { item, kind } }: NodeProps<BoxOf>) {
  const t = useTexts(texts);
  return (
    <>
      <Handle type="target" position={Position.Top} isConnectable={false} className={css.handle ?? ""} />
      {item ? <ItemBox item={item} /> : kind === "end" && <span className={css.end}>{t("end")}</span>}
      <Handle type="source" position={Position.Bottom} isConnectable={false} className={css.handle ?? ""} />
    </>
  );
});

function ItemBox({ item }: { item: Item }) {
  const t = useTexts(texts);
  const { chosen, onChoose, badges, problems, held, focus, focused, nameOf, trigger, reentry } = useCanvas();
  const words = useWords(nameOf);
  const element = useRef<HTMLButtonElement>(null);
  const isChosen = chosen === item.key;
  const isDrawn = useRef(false);
  useEffect(() => {
    // The box that an arrow leads to: the focus follows only from box to box, and to what a change has made.
    const { given, lost } = focused.current;
    const { activeElement: holder } = document;
    const within = holder?.closest("[data-box]");
    const isBack = lost && holder === document.body;
    // A box that was out of view is drawn some time after it was chosen. Whoever types in the form by then keeps the focus. The dialog that adds
    // a step loses it, because it closes.
    const stays = !isDrawn.current && isField(holder) && !isInDialog(holder);
    isDrawn.current = true;
    if (isChosen && (within || isBack || given !== focus)) {
      if (!stays) element.current?.focus({ preventScroll: true });
      focused.current = { given: focus, lost: false };
    }
  }, [isChosen, focus, focused]);
  useLayoutEffect(() => {
    const own = element.current;
    return () => {
      if (document.activeElement === own) focused.current.lost = true;
    };
  }, [focused]);
  const step = item.kind === "step" ? item.step : undefined;
  const icon: IconName = item.kind === "start" ? "play" : step ? iconOf(step) : "right";
  const [title, detail] =
    item.kind === "start"
      ? [words.trigger(trigger), words.reentry(reentry)]
      : item.kind === "way"
        ? [words.way(item.step, item.list), ""]
        : [words.title(item.step), words.detail(item.step)];
  const count = item.kind === "way" ? 0 : (problems?.(step?.id ?? null) ?? 0);
  const numbers = step && badges?.(step.id, isChosen);
  return (
    <>
      <button
        ref={element}
        type="button"
        data-box={item.kind}
        data-key={item.key}
        data-held={step !== undefined && held === step.id}
        className={css.box}
        aria-pressed={isChosen}
        tabIndex={isChosen ? 0 : -1}
        onClick={() => onChoose(item.key)}
      >
        {item.kind !== "way" && (
          <span className={css.icon}>
            <Icon name={icon} />
          </span>
        )}
        <span className={css.words}>
          <span className={`${css.title} cut`}>{title}</span>
          {detail && <span className={`${css.detail} cut`}>{detail}</span>}
          {step && (
            <span className="visually-hidden">
              {numbers?.said} ({step.id})
            </span>
          )}
        </span>
        {count > 0 && (
          <span className={css.problems}>
            <Icon name="warn" size={14} />
            <span className="visually-hidden">{t("problems", { count })}</span>
          </span>
        )}
      </button>
      {numbers && <span className={`${css.badges} nodrag nopan`}>{numbers.shown}</span>}
    </>
  );
}
