import type { Edge, Node } from "@xyflow/react";
import { useMemo, useRef } from "react";
import type { Item } from "../model/items.ts";
import type { Layout } from "../model/layout.ts";
import { same } from "../model/same.ts";
import type { InsertionPoint } from "../model/tree.ts";

type BoxData = { item: Item | undefined; kind: Layout["boxes"][number]["kind"] };
type LineData = { place: InsertionPoint | undefined; after: Item | undefined; dead: boolean };
export type BoxOf = Node<BoxData, "box">;
export type LineOf = Edge<LineData, "line">;

/** Returns the boxes and lines as React Flow takes them. Those that did not change are the same objects, so that they are not drawn again. */
export function useGraph(items: Item[], layout: Layout): { nodes: BoxOf[]; edges: LineOf[] } {
  const kept = useRef({ nodes: new Map<string, BoxOf>(), edges: new Map<string, LineOf>() });
  return useMemo(() => {
    const by = new Map(items.map((item) => [item.key, item]));
    const { nodes: oldNodes, edges: oldEdges } = kept.current;
    const nodes = layout.boxes.map(({ key, kind, x, y, width, height }): BoxOf => {
      const item = by.get(key);
      const old = oldNodes.get(key);
      const isSame =
        old &&
        old.position.x === x - width / 2 &&
        old.position.y === y &&
        old.width === width &&
        isSameItem(old.data.item, item);
      if (isSame) return old;
      const position = { x: x - width / 2, y };
      return { id: key, type: "box", position, width, height, data: { item, kind }, focusable: false };
    });
    const edges = layout.lines.map(({ from, to, place, after: afterKey, dead }): LineOf => {
      const id = `${from} ${to}`;
      const old = oldEdges.get(id);
      const after = place && by.get(afterKey);
      const data = old?.data;
      if (data && data.dead === dead && same(data.place, place) && isSameItem(data.after, after)) return old;
      return { id, source: from, target: to, type: "line", data: { place, after, dead }, focusable: false };
    });
    kept.current = {
      nodes: new Map(nodes.map((node) => [node.id, node])),
      edges: new Map(edges.map((edge) => [edge.id, edge])),
    };
    return { nodes, edges };
  }, [items, layout]);
}

function isSameItem(one: Item | undefined, other: Item | undefined): boolean {
  if (one === undefined || other === undefined || one.kind === "start" || other.kind === "start")
    return one?.key === other?.key;
  return one.key === other.key && one.step === other.step;
}
