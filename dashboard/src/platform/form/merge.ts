export type Values = Record<string, unknown>;

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Returns the names of the fields that differ. */
export const differing = <V extends Values>(a: V, b: V): (keyof V & string)[] =>
  Object.keys(b).filter((name) => !same(a[name], b[name]));

/** Returns `theirs` with the fields of `mine` that differ from `was`: what somebody typed stays, the rest is as it is now. */
export const merged = <V extends Values>(was: V, mine: V, theirs: V): V => {
  const typed = differing(was, mine).map((name) => [name, mine[name]]);
  return { ...theirs, ...Object.fromEntries(typed) };
};
