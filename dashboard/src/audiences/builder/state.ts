import { createContext, useContext } from "react";
import type { Part, Path } from "./model/tree.ts";

/** The conditions that only a campaign's branch has, and what can be chosen in them. */
export interface Extra {
  trigger?: { event?: string | undefined; fields?: readonly string[] | undefined } | undefined;
  steps?: readonly { id: string; label?: string }[] | undefined;
}

/** The filter that is being edited, for the parts below its builder. */
export interface Building {
  root: Part;
  /** Takes the changed filter. The part at `focus` gets the focus, on its menu where it was moved. */
  change(root: Part, focus?: { at: Path; menu?: boolean }): void;
  errorOf(pointer: string): string | undefined;
  extra: Extra;
}

const Context = createContext<Building | undefined>(undefined);
export const BuildingProvider = Context.Provider;

export function useBuilding(): Building {
  const building = useContext(Context);
  if (!building) throw new Error("no filter is edited here");
  return building;
}

/** What the fields of each kind of condition get. */
export interface ConditionProps<T = Record<string, unknown>> {
  value: T;
  onChange: (value: T) => void;
  /** The message at a field of the condition, such as "/value"; "" is the condition itself. */
  errorOf: (field: string) => string | undefined;
}
