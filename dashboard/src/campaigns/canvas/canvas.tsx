import { ReactFlow, type ReactFlowInstance, ReactFlowProvider } from "@xyflow/react";
import "@xyflow/react/dist/base.css";
import { type KeyboardEvent, memo, useEffect, useMemo, useRef } from "react";
import { useTexts } from "../../platform/language/texts.ts";
import type { Draft } from "../campaign-shape.ts";
import { itemsOf } from "../model/items.ts";
import { HEIGHT, type Layout, layoutOf, WIDTH } from "../model/layout.ts";
import type { InsertionPoint } from "../model/tree.ts";
import { type Arrow, walked } from "../model/walk.ts";
import { BoxNode } from "./box-node.tsx";
import css from "./canvas.module.css";
import { type Badges, CanvasContext, type CanvasView } from "./context.ts";
import { LineEdge } from "./line-edge.tsx";
import { texts } from "./texts.ts";
import { type BoxOf, type LineOf, useGraph } from "./use-graph.ts";
import { Zoom } from "./zoom.tsx";

interface CanvasProps {
  /** The draft whose journey is drawn. */
  draft: Pick<Draft, "trigger" | "reentry" | "steps">;
  /** The key of the chosen item, see model/items.ts. */
  chosen: string;
  onChoose: (key: string) => void;
  badges?: Badges | undefined;
  /** How many problems a step has; null asks for those of the start. */
  problems?: ((stepId: string | null) => number) | undefined;
  nameOf?: ((id: string) => string | undefined) | undefined;
  /** Where steps can be added; without it the journey is only looked at. */
  onAdd?: ((place: InsertionPoint) => void) | undefined;
  /** The id of the step that is being moved. */
  held?: string | undefined;
  /** A key that no arrow is. */
  onKey?: ((event: KeyboardEvent, key: string) => void) | undefined;
  /** Another number gives the chosen item the focus. */
  focus?: number;
}

type Flow = ReactFlowInstance<BoxOf, LineOf>;

const nodeTypes = { box: BoxNode };
const edgeTypes = { line: LineEdge };
const ARROWS: Record<string, Arrow> = { ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right" };

/** Nobody drags or deletes with the library's own means: steps are changed by the editor, and keys have their meaning from there. */
const OWN_EDITING = {
  nodesDraggable: false,
  nodesConnectable: false,
  nodesFocusable: false,
  edgesFocusable: false,
  elementsSelectable: false,
  disableKeyboardA11y: true,
  deleteKeyCode: null,
  zoomOnDoubleClick: false,
} as const;

/**
 * A journey as boxes and lines, laid out by itself. Arrow keys go from box to box; one of them is in the order of Tab. It is drawn again only for what it
 * shows: beside it somebody types.
 */
export const Canvas = memo(function Canvas(props: CanvasProps) {
  const { draft, chosen, onChoose, onKey, focus = 0 } = props;
  const t = useTexts(texts);
  const { steps } = draft;
  const items = useMemo(() => itemsOf(steps), [steps]);
  const layout = useMemo(() => layoutOf(steps), [steps]);
  const { nodes, edges } = useGraph(items, layout);
  const flow = useRef<Flow>(undefined);
  const root = useRef<HTMLDivElement>(null);
  const view = useView(props);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another choice moves the view
  useEffect(() => {
    if (flow.current && root.current) reveal(flow.current, root.current, layout, chosen);
  }, [chosen, focus]);
  const seen = useRef(focus);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what a change made or moved is drawn a moment after it is chosen
  useEffect(() => {
    if (seen.current !== focus && flow.current && root.current) reveal(flow.current, root.current, layout, chosen);
    seen.current = focus;
  }, [layout]);
  const press = (event: KeyboardEvent) => {
    // The box that has the focus, which a screen reader may give to one that is not chosen.
    const at = (event.target as HTMLElement).closest<HTMLElement>("[data-box]")?.dataset.key;
    if (at === undefined) return;
    const arrow = event.altKey || event.ctrlKey || event.metaKey ? undefined : ARROWS[event.key];
    if (!arrow) return onKey?.(event, at);
    event.preventDefault();
    const to = walked(items, at, arrow);
    if (to) onChoose(to);
  };
  const start = (instance: Flow) => {
    flow.current = instance;
    if (!root.current) return;
    begin(instance, root.current, layout);
    reveal(instance, root.current, layout, chosen);
  };
  return (
    <ReactFlowProvider>
      <CanvasContext value={view}>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: the boxes in it have the focus */}
        <div ref={root} className={css.canvas} onKeyDown={press}>
          <ReactFlow
            nodes={nodes}
            edges={edges}
            nodeTypes={nodeTypes}
            edgeTypes={edgeTypes}
            onInit={start}
            onlyRenderVisibleElements
            {...OWN_EDITING}
            minZoom={0.15}
            maxZoom={1.5}
            proOptions={{ hideAttribution: true }}
            aria-label={t("canvas")}
          >
            <Zoom />
          </ReactFlow>
        </div>
      </CanvasContext>
    </ReactFlowProvider>
  );
});

/** What boxes and lines need: the same object until something of it changes. */
function useView(props: CanvasProps): CanvasView {
  const { chosen, onChoose, badges, problems, nameOf, onAdd, held, focus = 0 } = props;
  const { trigger, reentry } = props.draft;
  const focused = useRef({ given: focus, lost: false });
  return useMemo(
    () => ({ chosen, onChoose, badges, problems, nameOf, onAdd, held, focus, focused, trigger, reentry }),
    [chosen, onChoose, badges, problems, nameOf, onAdd, held, focus, trigger, reentry],
  );
}

const MARGIN = 32;

/** Shows the beginning, in its true size: the text can be read and the buttons be hit. */
function begin(flow: Flow, { clientWidth }: HTMLElement, { boxes }: Layout): void {
  const left = Math.min(...boxes.map(({ x, width }) => x - width / 2));
  const right = Math.max(...boxes.map(({ x, width }) => x + width / 2));
  const isWide = right - left > clientWidth - 2 * MARGIN;
  const x = clientWidth / 2 - (isWide ? 0 : (left + right) / 2);
  void flow.setViewport({ x, y: MARGIN, zoom: 1 });
}

/** Brings the chosen box into view where it is not. */
function reveal(flow: Flow, { clientWidth, clientHeight }: HTMLElement, layout: Layout, key: string): void {
  const box = layout.boxes.find((one) => one.key === key);
  if (!box) return;
  const { x, y, zoom } = flow.getViewport();
  const [left, top] = [(box.x - WIDTH / 2) * zoom + x, box.y * zoom + y];
  const isSeen = left >= 0 && top >= 0 && left + WIDTH * zoom <= clientWidth && top + HEIGHT * zoom <= clientHeight;
  if (!isSeen) void flow.setCenter(box.x, box.y + HEIGHT / 2, { zoom: Math.max(zoom, 0.75) });
}
