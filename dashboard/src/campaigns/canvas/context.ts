import { createContext, type ReactNode, type RefObject, useContext } from "react";
import type { Draft } from "../campaign-shape.ts";
import type { InsertionPoint } from "../model/tree.ts";

/** Numbers that stand at a step; what they say belongs to the name of the step. Undefined where there are none. */
export type Badges = (stepId: string, reached: boolean) => { said: string; shown: ReactNode } | undefined;

/** What all boxes and lines of a canvas need beside what they show. It is no part of their data, so that these stay as they are. */
export interface CanvasView extends Pick<Draft, "trigger" | "reentry"> {
  chosen: string;
  onChoose: (key: string) => void;
  badges: Badges | undefined;
  problems: ((stepId: string | null) => number) | undefined;
  nameOf: ((id: string) => string | undefined) | undefined;
  onAdd: ((place: InsertionPoint) => void) | undefined;
  held: string | undefined;
  focus: number;
  /**
   * The number of the focus that was given last: the box that gets the next one may not be drawn yet. It is lost with its box where that is
   * out of view, which is not drawn then, and comes back with it.
   */
  focused: RefObject<{ given: number; lost: boolean }>;
}

export const CanvasContext = createContext<CanvasView | undefined>(undefined);

export function useCanvas(): CanvasView {
  const view = useContext(CanvasContext);
  if (!view) throw new Error("no canvas is around this");
  return view;
}
