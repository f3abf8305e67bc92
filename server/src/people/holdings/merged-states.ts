import type { Person } from "../profile/store.ts";

type States = Pick<Person, "subscribed" | "preferences">;

/**
 * Combines what two people chose: an unsubscribe of either stays, for everything and for each channel and topic. Otherwise the target's
 * choice wins, and a choice that only the source made is kept.
 */
export function mergedStates(target: States, source: States): States {
  const preferences = { ...source.preferences, ...target.preferences };
  for (const [key, state] of [...Object.entries(source.preferences), ...Object.entries(target.preferences)])
    if (!state) preferences[key] = false;
  return { subscribed: target.subscribed && source.subscribed, preferences };
}
