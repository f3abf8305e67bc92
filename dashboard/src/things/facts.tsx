import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Format } from "../platform/language/format.ts";
import type { Say } from "../platform/language/texts.ts";
import type { AuthoredKind } from "../platform/list/authored-kinds.ts";
import type { Thing } from "./kinds.ts";
import type { texts } from "./texts.ts";

interface Saying {
  t: Say<typeof texts>;
  format: Format;
  workspace: string;
}

/** A link to another thing by its id. Its name is on its own page. */
const link = (kind: AuthoredKind, id: unknown, { workspace }: Saying): ReactNode =>
  typeof id === "string" && (
    <Link to="/w/$workspace/$kind/$id" params={{ workspace, kind, id }}>
      {id}
    </Link>
  );
const instant = (value: unknown, { format }: Saying) => typeof value === "string" && format.instant(value);
const text = (value: unknown) => (typeof value === "string" || typeof value === "number" ? String(value) : undefined);
const number = (value: unknown, { format }: Saying) => typeof value === "number" && format.number(value);
const shown: readonly (readonly [keyof typeof texts, string, (value: unknown, saying: Saying) => ReactNode])[] = [
  ["channel", "channel", (value, { t }) => typeof value === "string" && t(value as keyof typeof texts)],
  ["trigger_name", "trigger_name", (value) => typeof value === "string" && <code>{value}</code>],
  ["subject", "subject", text],
  ["layout", "layout_id", (value, saying) => link("email-layouts", value, saying)],
  ["preference", "subscription_preference", text],
  ["version", "version", number],
  ["created_at", "created_at", instant],
];

/** What is known of a thing in a few words. Fields that its kind does not have are left out. */
export const factsOf = (thing: Thing, saying: Saying): [string, ReactNode][] =>
  shown.map(([name, field, show]) => [saying.t(name), show(thing[field], saying)]);
