import { type Say, useTexts } from "../../platform/language/texts.ts";
import { resourceTexts, verbTexts } from "./name-texts.ts";

/** The types of what can change, for the filter. */
export const resourceTypes = Object.keys(resourceTexts) as (keyof typeof resourceTexts)[];

/** Writes types and actions in words. What is not known is written as the service calls it. */
export function useNames() {
  const resource = useTexts(resourceTexts);
  const verb = useTexts(verbTexts);
  const written = <T extends Record<string, readonly [string, string]>>(say: Say<T>, all: T, key: string) =>
    key in all ? say(key as keyof T) : key.replaceAll("_", " ");
  return {
    typeOf: (type: string) => written(resource, resourceTexts, type),
    /** `broadcast.changed` is "changed". */
    verbOf: (action: string) => written(verb, verbTexts, action.slice(action.indexOf(".") + 1)),
  };
}
