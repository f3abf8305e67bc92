/** Returns the search of an address with these changes; `undefined` takes a filter out of it. */
export const changedSearch = <T extends object>(before: T, changed: { [K in keyof T]?: T[K] | undefined }): T =>
  Object.fromEntries(Object.entries({ ...before, ...changed }).filter(([, value]) => value !== undefined)) as T;
