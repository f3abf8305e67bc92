import { Refusal } from "../../platform/call/refusal.ts";
import { missingIn } from "./model/conditions.ts";
import type { Part } from "./model/tree.ts";

/** Returns what a FilterBuilder asks for its errors, from a refusal whose pointers begin with `prefix`, such as "/filter". */
export function pointedErrors(error: unknown, prefix: string): (pointer: string) => string | undefined {
  const found = new Map(
    (error instanceof Refusal ? (error.body.errors ?? []) : []).flatMap(({ pointer, message }) =>
      pointer?.startsWith(prefix) ? [[pointer.slice(prefix.length), message] as const] : [],
    ),
  );
  return (pointer) => found.get(pointer);
}

/** Whether everything in a filter is filled in. Otherwise the service would refuse it. */
export const isComplete = (filter: Part | null): filter is Part => filter !== null && missingIn(filter).length === 0;
