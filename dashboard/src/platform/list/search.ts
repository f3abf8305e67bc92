/** Returns the search of an address with these changes; `undefined` takes a filter out of it. */
export const changedSearch = <T extends object>(before: T, changed: { [K in keyof T]?: T[K] | undefined }): T =>
  Object.fromEntries(Object.entries({ ...before, ...changed }).filter(([, value]) => value !== undefined)) as T;

/** Returns the part of a text that a list can be searched for: the service refuses a longer one. */
export const soughtOf = (text: string): string => text.slice(0, 200);
