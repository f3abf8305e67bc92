import { BaseEdge, EdgeLabelRenderer, type EdgeProps, type XYPosition } from "@xyflow/react";
import { memo } from "react";
import { useTexts } from "../../platform/language/texts.ts";
import { Icon } from "../../platform/look/icons.tsx";
import type { Item } from "../model/items.ts";
import { useWords } from "../words/use-words.ts";
import css from "./canvas.module.css";
import { useCanvas } from "./context.ts";
import { texts } from "./texts.ts";
import type { LineOf } from "./use-graph.ts";

const ROUND = 8;
/** Below the box from which a line comes. */
const BUTTON_BELOW = 22;
/** Above the box to which a line goes, it turns to it. */
const TURN_ABOVE = 12;

/** A line between boxes with the button that adds a step there. */
export const LineEdge = memo(function LineEdge(props: EdgeProps<LineOf>) {
  const { sourceX, sourceY, targetX, targetY, data } = props;
  const { onAdd, held } = useCanvas();
  const place = data?.place;
  // A way begins under its step; ways end beside each other and come together below.
  const turn = place ? targetY - TURN_ABOVE : sourceY + TURN_ABOVE;
  return (
    <>
      <BaseEdge
        path={pathOf({ x: sourceX, y: sourceY }, { x: targetX, y: targetY }, turn)}
        className={css.line}
        data-dead={data?.dead}
      />
      {onAdd && place && !data.dead && (
        <AddButton
          after={data.after}
          isMove={held !== undefined}
          at={{ x: sourceX, y: sourceY + BUTTON_BELOW }}
          onAdd={() => onAdd(place)}
        />
      )}
    </>
  );
});

interface AddButtonProps {
  /** What a new step comes after. */
  after: Item | undefined;
  isMove: boolean;
  at: XYPosition;
  onAdd: () => void;
}

/** Puts a step in here. Its name says where that is: the order of the lines says it to nobody. */
function AddButton({ after, isMove, at: { x, y }, onAdd }: AddButtonProps) {
  const t = useTexts(texts);
  const words = useWords();
  const label = (() => {
    if (!after || after.kind === "start") return t(isMove ? "moveFirst" : "addFirst");
    // With its id: two waits have the same title.
    const step = `${words.title(after.step)} (${after.step.id})`;
    if (after.kind === "step") return t(isMove ? "moveAfter" : "addAfter", { step });
    return t(isMove ? "moveOnWay" : "addOnWay", { way: words.way(after.step, after.list), step });
  })();
  return (
    <EdgeLabelRenderer>
      <button
        type="button"
        className={`${css.add} nodrag nopan`}
        data-held={isMove}
        tabIndex={-1}
        aria-label={label}
        title={label}
        onClick={onAdd}
        style={{ transform: `translate(-50%, -50%) translate(${x}px, ${y}px)` }}
      >
        <Icon name="plus" size={14} />
      </button>
    </EdgeLabelRenderer>
  );
}

/** A line down, across at `turn`, and down, with round corners. */
function pathOf({ x, y }: XYPosition, { x: toX, y: toY }: XYPosition, turn: number): string {
  if (Math.abs(x - toX) < 1) return `M${x} ${y}V${toY}`;
  const round = Math.min(ROUND, Math.abs(toX - x) / 2);
  const way = toX > x ? 1 : -1;
  return [
    `M${x} ${y}V${turn - round}`,
    `Q${x} ${turn} ${x + way * round} ${turn}H${toX - way * round}`,
    `Q${toX} ${turn} ${toX} ${turn + round}V${toY}`,
  ].join("");
}
