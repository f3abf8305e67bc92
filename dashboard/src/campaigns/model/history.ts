// What can be undone. States are whole drafts: they share what did not change, so a hundred of them cost little.

export interface History<T> {
  past: readonly T[];
  future: readonly T[];
  /** What was changed last, such as one field: changes of the same in short order are undone together. */
  last?: { what: string; at: number } | undefined;
}

const MOST = 100;
/** Changes of the same field within this time are one. */
const TOGETHER_MS = 1_500;

export const noHistory: History<never> = { past: [], future: [] };

/** Returns the history after a change of `before`. `what` names what is typed; undefined is a change of its own. */
export function recorded<T>(history: History<T>, before: T, what: string | undefined, now: number): History<T> {
  const { last, past } = history;
  const named = what === undefined ? undefined : { what, at: now };
  if (last && what === last.what && now - last.at < TOGETHER_MS) return { past, future: [], last: named };
  return { past: [...past, before].slice(-MOST), future: [], last: named };
}

/** Returns the state before the last change with the history there; undefined if there is none. */
export function undone<T>({ past, future }: History<T>, now: T): { to: T; history: History<T> } | undefined {
  const to = past.at(-1);
  return to === undefined ? undefined : { to, history: { past: past.slice(0, -1), future: [now, ...future] } };
}

/** Returns the state after the change that was undone last. */
export function redone<T>({ past, future }: History<T>, now: T): { to: T; history: History<T> } | undefined {
  const [to, ...rest] = future;
  return to === undefined ? undefined : { to, history: { past: [...past, now], future: rest } };
}
