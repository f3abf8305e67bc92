/** Whether two values are the same as JSON. The service returns the fields of an object in another order than it got them. */
export function same(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const [mine, theirs] = [one as Record<string, unknown>, other as Record<string, unknown>];
  const names = Object.keys(mine).filter((name) => mine[name] !== undefined);
  const others = Object.keys(theirs).filter((name) => theirs[name] !== undefined);
  return names.length === others.length && names.every((name) => name in theirs && same(mine[name], theirs[name]));
}
