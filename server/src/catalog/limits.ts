// The most names that the catalog takes. A client that puts ids into its names would otherwise fill the tables.

export const MOST_EVENTS = 2_000;
/** Of one event. */
export const MOST_PROPERTIES = 100;
export const MOST_ATTRIBUTES = 1_000;
