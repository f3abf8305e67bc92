/** Returns the time zones that the browser knows, with UTC first. Firefox has UTC among its own, and Mantine refuses a list that names it twice. */
export const timeZones = (): string[] => [...new Set(["UTC", ...Intl.supportedValuesOf("timeZone")])];
