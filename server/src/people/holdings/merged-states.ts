import type { Person } from "../profile/store.ts";

type States = Pick<Person, "subscribed" | "preferences">;

/**
 * What two people chose, as one person: an unsubscribe of either stays, for all and for each channel and topic. Otherwise what
 * the target chose wins, and what only the source chose is taken on.
 */
export function mergedStates(target: States, source: States): States {
  const preferences = { ...source.preferences, ...target.preferences };
  for (const [key, state] of [...Object.entries(source.preferences), ...Object.entries(target.preferences)])
    if (!state) preferences[key] = false;
  return { subscribed: target.subscribed && source.subscribed, preferences };
}
