import { nameOf } from "../find-person/person-name.ts";
import type { Query } from "../platform/call/call.ts";
import type { IconName } from "../platform/look/icons.tsx";
import { type AuthoredKind, authoredIcons, authoredKinds } from "../platform/list/authored-kinds.ts";

/** A row of any list. */
// biome-ignore lint/suspicious/noExplicitAny: each list has rows of its own
export type FoundRow = Record<string, any>;
export type SearchGroup =
  | "people"
  | "deliveries"
  | "topics"
  | "providers"
  | "webhooks"
  | "destinations"
  | "members"
  | "keys"
  | AuthoredKind;

interface Shown {
  /** Of its page, in the workspace. */
  path: string;
  label: string;
  detail: string;
}
interface Source {
  group: SearchGroup;
  icon: IconName;
  path: string;
  query: Query;
  /** Undefined for a row that is not what is sought. */
  show: (row: FoundRow, text: string) => Shown | undefined;
  /** The room that shows it, where that has no page for each. */
  room?: string;
}

const FEW = 5;
const has = (text: string, ...fields: unknown[]): boolean =>
  fields.some((field) => typeof field === "string" && field.toLowerCase().includes(text));
const joined = (...parts: unknown[]): string => parts.filter((part) => typeof part === "string" && part).join(" · ");

const people = (q: string): Source => ({
  group: "people",
  icon: "people",
  path: "/people",
  query: { q, limit: FEW },
  show: (row) => ({
    path: `/people/${encodeURIComponent(row.person_id)}`,
    label: nameOf(row as never) ?? row.person_id,
    detail: joined(nameOf(row as never) && row.person_id, row.email),
  }),
});

const deliveries = (q: string): Source => ({
  group: "deliveries",
  icon: "send",
  path: "/deliveries",
  query: { q, limit: FEW },
  show: (row) => ({
    path: `/deliveries?open=${row.id}`,
    label: row.id,
    detail: joined(row.recipient ?? row.person_id, row.status),
  }),
});

const authored = (q: string): Source[] =>
  authoredKinds.map((kind) => ({
    group: kind,
    icon: authoredIcons[kind],
    path: `/${kind}`,
    query: { q, limit: FEW },
    show: ({ id, name, ...row }) => ({
      path: `/${kind}/${id}`,
      label: name,
      detail: joined(row.trigger_name ?? row.title ?? row.subject, row.status),
    }),
  }));

/** Lists that are short, and have no search of their own: they are read once and looked through here. */
const ofRoom = (
  room: string,
  one: Omit<Source, "query" | "show" | "room"> & { fields: (row: FoundRow) => string[] },
): Source => ({
  ...one,
  room,
  query: { limit: 200 },
  show(row, text) {
    const [label = "", ...others] = one.fields(row);
    return has(text, row.id, label, ...others) ? { path: `/${room}`, label, detail: joined(...others) } : undefined;
  },
});

const settings: Source[] = [
  ofRoom("topics", { group: "topics", icon: "bell", path: "/topics", fields: (row) => [row.name, row.description] }),
  ofRoom("channels", {
    group: "providers",
    icon: "external",
    path: "/providers",
    fields: (row) => [row.name, row.kind, row.channel],
  }),
  ofRoom("webhooks", {
    group: "webhooks",
    icon: "external",
    path: "/webhooks",
    fields: (row) => [row.url, row.description],
  }),
  ofRoom("export-destinations", {
    group: "destinations",
    icon: "external",
    path: "/export-destinations",
    fields: (row) => [row.name, row.kind],
  }),
  ofRoom("members", {
    group: "members",
    icon: "members",
    path: "/members",
    fields: (row) => [row.name ?? row.email, row.email, row.role],
  }),
  ofRoom("keys", { group: "keys", icon: "key", path: "/api-keys", fields: (row) => [row.name, row.kind] }),
];

/** What is asked for a text. Deliveries are found by a whole id only: their people are found anyway. */
export const sourcesFor = (q: string): Source[] => [
  ...(/^dlv_\w{8,}$/i.test(q) ? [deliveries(q)] : []),
  people(q),
  ...authored(q),
  ...settings,
];
