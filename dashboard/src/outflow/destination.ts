import type {
  DestinationInput,
  DestinationKind,
  DestinationPatch,
  Destination as Shape,
  DestinationState as StateShape,
} from "@tidings/contract/destinations";
import type { Static } from "typebox";
import type { Tone } from "../platform/look/parts.tsx";

export type Destination = Static<typeof Shape>;
export type State = Static<typeof StateShape>;
export type Stream = State["streams"][number];

export const kinds = ["s3", "clickhouse"] as const satisfies readonly DestinationKind[];
export const tables = ["deliveries", "activity", "events"] as const satisfies Destination["tables"];
export const stateTone: Record<State["status"], Tone> = { ok: "good", failing: "bad", paused: "plain" };

/** The settings and the credentials of a kind, in the order of the form. Those of a kind that are optional may stay empty. */
export const fieldsOf = {
  s3: {
    settings: { bucket: "", region: "", endpoint: "optional", prefix: "optional", format: "choice" },
    credentials: ["access_key_id", "secret_access_key"],
  },
  clickhouse: {
    settings: { url: "", database: "", table_prefix: "optional", user: "" },
    credentials: ["password"],
  },
} as const satisfies Record<DestinationKind, { settings: Record<string, string>; credentials: readonly string[] }>;

export interface DestinationValues extends Record<string, unknown> {
  name: string;
  interval_seconds: string;
  /** Of a new one. */
  tables: string[];
  from: string;
  /** `keep` or `replace`. */
  credentials: string;
}

/** The values of a new destination of this kind, or those of one that is there. Credentials are never read. */
export function valuesOf(kind: DestinationKind, before?: Destination): DestinationValues {
  const settings = (before?.settings ?? {}) as Record<string, string | undefined>;
  const { settings: names, credentials } = fieldsOf[kind];
  return {
    name: before?.name ?? "",
    interval_seconds: before ? String(before.interval_seconds) : "",
    tables: before?.tables ?? [...tables],
    from: "now",
    credentials: before ? "keep" : "replace",
    ...Object.fromEntries(Object.keys(names).map((name) => [`settings/${name}`, settings[name] ?? ""])),
    ...Object.fromEntries(credentials.map((name) => [`credentials/${name}`, ""])),
  };
}

const textOf = (values: DestinationValues, name: string): string => String(values[name] ?? "").trim();

/** The fields below a name that are not empty. */
const given = (values: DestinationValues, under: string): Record<string, string> =>
  Object.fromEntries(
    Object.keys(values)
      .filter((name) => name.startsWith(`${under}/`) && textOf(values, name) !== "")
      .map((name) => [name.slice(under.length + 1), textOf(values, name)]),
  );

/** What is no number goes as it is: the service says what is wrong with it. */
function secondsOf(values: DestinationValues): number | undefined {
  const text = textOf(values, "interval_seconds");
  return text === "" ? undefined : Number.isNaN(Number(text)) ? (text as never) : Number(text);
}

export function inputOf(kind: DestinationKind, values: DestinationValues): DestinationInput {
  const seconds = secondsOf(values);
  return {
    name: values.name.trim(),
    kind,
    settings: given(values, "settings"),
    credentials: given(values, "credentials"),
    tables: tables.filter((table) => values.tables.includes(table)),
    from: values.from as "now",
    ...(seconds !== undefined && { interval_seconds: seconds }),
  };
}

/** The body of a change: settings are replaced as a whole, and credentials only where new ones are given. */
export function patchOf(values: DestinationValues, typed: string[]): DestinationPatch {
  const seconds = secondsOf(values);
  return {
    ...(typed.includes("name") && { name: values.name.trim() }),
    ...(typed.includes("interval_seconds") && seconds !== undefined && { interval_seconds: seconds }),
    ...(typed.some((name) => name.startsWith("settings/")) && { settings: given(values, "settings") }),
    ...(values.credentials === "replace" && { credentials: given(values, "credentials") }),
  };
}
