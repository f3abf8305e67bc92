import type { Provider as Shape, ProviderInput, ProviderPatch } from "@tidings/contract/messages/outbound";
import type { ProviderKind } from "@tidings/contract/messages/providers";
import type { Static } from "typebox";
import { type Field, formOf, type Spec } from "./kinds.ts";

export type Provider = Static<typeof Shape>;
type Value = string | boolean;
/** What the form has of a provider; each name is the pointer of its field. `credentials` says whether new ones are given. */
export type ProviderValues = Record<string, Value>;

type Nested = Record<string, unknown>;

/** Returns the fields of a kind that are entered one by one, by their pointers. Those of a group stand below the group's pointer. */
export function leavesOf(fields: Record<string, Spec>, under: string): [path: string, field: Field, spec: Spec][] {
  return Object.entries(fields).flatMap(([name, spec]) =>
    spec.type === "group"
      ? Object.entries(spec.fields).map(([inner, field]): [string, Field, Spec] => [
          `${under}/${name}/${inner}`,
          field,
          { ...field, advanced: true },
        ])
      : [[`${under}/${name}`, spec, spec] as [string, Field, Spec]],
  );
}

const shown = (field: Field, value: unknown): Value => {
  if (field.type === "switch") return typeof value === "boolean" ? value : field.unset;
  if (field.type === "tri") return value === undefined ? "" : String(value);
  if (field.type === "headers")
    return Object.entries((value as Nested | undefined) ?? {})
      .map(([name, one]) => `${name}: ${one}`)
      .join("\n");
  return value === undefined || value === null ? "" : String(value);
};

/** Returns undefined where nothing is given. */
function meant(field: Field, value: Value): unknown {
  if (field.type === "switch") return value === field.unset ? undefined : value;
  const text = String(value).trim();
  if (text === "") return undefined;
  if (field.type === "tri") return text === "true";
  // What is no number goes as it is: the service says what is wrong with it.
  if (field.type === "number") return Number.isNaN(Number(text)) ? text : Number(text);
  if (field.type !== "headers") return field.type === "secret" || field.type === "key" ? String(value) : text;
  return Object.fromEntries(
    text.split("\n").map((line) => {
      const at = line.indexOf(":");
      return at < 0 ? [line.trim(), ""] : [line.slice(0, at).trim(), line.slice(at + 1).trim()];
    }),
  );
}

const at = (whole: unknown, path: string): unknown =>
  path.split("/").reduce<unknown>((part, name) => (part as Nested | undefined)?.[name], whole);

/** The values of a new provider of this kind, or those of one that is there. Credentials are never read. */
export function valuesOf(kind: ProviderKind, before?: Provider): ProviderValues {
  const { settings, credentials } = formOf(kind);
  const values: ProviderValues = {
    name: before?.name ?? "",
    rate_per_second: before?.rate_per_second == null ? "" : String(before.rate_per_second),
    credentials: before?.has_credentials ? "keep" : "replace",
  };
  for (const [name, spec] of Object.entries(settings))
    if (spec.type === "group") values[`settings/${name}`] = before?.settings[name] !== undefined;
  for (const [path, field] of leavesOf(settings, "settings")) values[path] = shown(field, at(before, path));
  for (const [path] of leavesOf(credentials, "credentials")) values[path] = "";
  return values;
}

function settingsFrom(kind: ProviderKind, values: ProviderValues): Nested {
  const found: Nested = {};
  for (const [name, spec] of Object.entries(formOf(kind).settings)) {
    if (spec.type !== "group") {
      const value = meant(spec, values[`settings/${name}`] ?? "");
      if (value !== undefined) found[name] = value;
    } else if (values[`settings/${name}`]) {
      const parts = Object.entries(spec.fields).map(([inner, field]) => [
        inner,
        meant(field, values[`settings/${name}/${inner}`] ?? ""),
      ]);
      found[name] = Object.fromEntries(parts.filter(([, value]) => value !== undefined));
    }
  }
  return found;
}

function credentialsFrom(kind: ProviderKind, values: ProviderValues): Nested | undefined {
  if (values.credentials !== "replace") return undefined;
  const given = leavesOf(formOf(kind).credentials, "credentials")
    .map(([path, field]) => [path.slice("credentials/".length), meant(field, values[path] ?? "")])
    .filter(([, value]) => value !== undefined);
  return given.length === 0 ? undefined : Object.fromEntries(given);
}

const rateFrom = (text: Value | undefined): number | null => {
  const trimmed = String(text ?? "").trim();
  return trimmed === "" ? null : (Number(trimmed) as number);
};

interface NewProvider {
  channel: Provider["channel"];
  kind: ProviderKind;
  priority: number;
}

export function inputOf({ channel, kind, priority }: NewProvider, values: ProviderValues): ProviderInput {
  const credentials = credentialsFrom(kind, values);
  return {
    name: String(values.name).trim(),
    channel,
    kind,
    priority,
    rate_per_second: rateFrom(values.rate_per_second),
    settings: settingsFrom(kind, values),
    ...(credentials && { credentials }),
  };
}

/** The body of a change: settings are replaced as a whole, and credentials only where new ones are given. */
export function patchOf(kind: ProviderKind, values: ProviderValues, typed: string[]): ProviderPatch {
  const credentials = credentialsFrom(kind, values);
  return {
    ...(typed.includes("name") && { name: String(values.name).trim() }),
    ...(typed.includes("rate_per_second") && { rate_per_second: rateFrom(values.rate_per_second) }),
    ...(typed.some((name) => name.startsWith("settings/")) && { settings: settingsFrom(kind, values) }),
    ...(credentials && { credentials }),
  };
}
