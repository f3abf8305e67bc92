import type { Tx } from "../../platform/db/index.ts";
import { announceChanged } from "./changed.ts";
import { lockStates, type Person, setStates } from "./store.ts";

/** What a person chose: the state for everything, and for channels or topics by key. Others stay as they are. */
export interface Choice {
  subscribed?: boolean | undefined;
  preferences?: Record<string, boolean>;
}

/**
 * Stores a person's choice. Returns the person afterwards and what really changed, or undefined if there is no such person. A choice
 * that changes nothing writes nothing.
 */
export async function choose(
  tx: Tx,
  personKey: string,
  choice: Choice,
  now: Date,
): Promise<{ person: Person; changed: Choice } | undefined> {
  const before = await lockStates(tx, personKey);
  if (!before) return undefined;
  const preferences = Object.fromEntries(
    Object.entries(choice.preferences ?? {}).filter(([key, state]) => before.preferences[key] !== state),
  );
  const subscribed = choice.subscribed === before.subscribed ? undefined : choice.subscribed;
  if (subscribed === undefined && Object.keys(preferences).length === 0) return { person: before, changed: {} };
  const after = {
    subscribed: subscribed ?? before.subscribed,
    preferences: { ...before.preferences, ...preferences },
  };
  await setStates(tx, personKey, after, now);
  await announceChanged(tx, [{ workspaceId: before.workspace_id, personKey, what: "changed" }]);
  return { person: { ...before, ...after, updated_at: now }, changed: { subscribed, preferences } };
}
