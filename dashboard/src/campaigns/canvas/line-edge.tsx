import { BaseEdge, EdgeLabelRenderer, type EdgeProps, type XYPosition } from "@xyflow/react";
import { memo } from "react";
import { useTexts } from "../../platform/language/texts.ts";
import { Icon } from "../../platform/look/icons.tsx";
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
  const t = useTexts(texts);
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
        <EdgeLabelRenderer>
          <button
            type="button"
            className={`${css.add} nodrag nopan`}
            data-held={held !== undefined}
            tabIndex={-1}
            aria-label={t(held === undefined ? "add" : "moveHere")}
            title={t(held === undefined ? "add" : "moveHere")}
            onClick={() => onAdd(place)}
            style={{ transform: `translate(-50%, -50%) translate(${sourceX}px, ${sourceY + BUTTON_BELOW}px)` }}
          >
            <Icon name="plus" size={14} />
          </button>
        </EdgeLabelRenderer>
      )}
    </>
  );
});

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
