/** A name that data has, as the catalog knows it. */
export interface KnownName {
  name: string;
  types?: readonly string[];
  /** How many people have it. */
  people?: number;
}

/** The names at one place, such as below `person`. */
export interface Names {
  names: readonly KnownName[];
  /** Whether a name that is not here is one that nobody has. */
  all: boolean;
}

export interface KnownStep {
  id: string;
  fields: readonly ("event" | "response")[];
  event?: Names | undefined;
}

/** What a text can name, as far as it is known by now. */
export interface Known {
  person: Names;
  /** Undefined where nothing causes the message. */
  trigger: Names | undefined;
  steps: readonly KnownStep[];
  batch: boolean;
}

export const UNKNOWN: Names = { names: [], all: false };
