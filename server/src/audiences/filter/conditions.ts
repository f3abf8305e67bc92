type Group<F> = { all: F[] } | { any: F[] } | { not: F };
/** A condition of a filter: a part that is neither `all`, `any` nor `not`. */
type Condition<F> = Exclude<F, { all: unknown } | { any: unknown } | { not: unknown }>;

/** Returns the conditions of a filter of audiences, or of a filter with more kinds of conditions, without the groups around them. */
export function conditionsOf<F extends object>(filter: F): Condition<F>[] {
  const group = filter as Group<F>;
  if ("all" in group) return group.all.flatMap((one) => conditionsOf(one));
  if ("any" in group) return group.any.flatMap((one) => conditionsOf(one));
  if ("not" in group) return conditionsOf(group.not);
  return [filter as Condition<F>];
}
