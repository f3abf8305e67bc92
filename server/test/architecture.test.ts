import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { storeyOf, storeys } from "./storeys.ts";

// Checks the rules of docs/architecture.md: one test for each source file, and one that shows that each rule can fail.

/**
 * The rooms of a slice, from the bottom to the top: a file imports from its own room and from those below. "" stands for the files
 * in the slice's own folder; a single file that has a place of its own is named.
 */
const ROOMS: Record<string, string[]> = {
  platform: [
    "threads",
    "",
    "time",
    "http",
    "tracing",
    "signals",
    "db/watch",
    "db",
    "limits",
    "work",
    "outbound-http",
    "embedded",
    "ground.ts",
    "resources",
    "transfer",
  ],
  workspaces: ["tenant", "keys", "identity", ""],
  members: ["proof", "store", "session", "ground.ts", "factors", "account", "oidc", ""],
  people: ["profile", "devices", "holdings", ""],
  activity: ["deliveries", ""],
  audiences: ["store.ts", "filter", "members", ""],
  content: ["text.ts", "liquid", "html", "threads", ""],
  media: ["files", "ground.ts", "codec", ""],
  subscriptions: ["suppression", "preferences", "pages", ""],
  outbound: [
    "message",
    "feedback",
    "tracking",
    "queue",
    "providers/protocol",
    "providers/email",
    "providers/push",
    "providers/sms",
    "providers",
    "connection",
    "sending",
    "setup",
    "domains",
    "bounces",
    "callbacks",
    "",
  ],
  inapp: ["rules", "definition", "delivery", "queue", "sync", "explain", "interact", "inbox", "stream", ""],
  outflow: ["far-ends", "streams", ""],
  transactionals: ["channels", ""],
  sendings: ["sending.ts", "rules", "limits", "content", "recipients", ""],
  broadcasts: ["rules", "definition", "recipients", "lifecycle.ts", "fanout", ""],
  campaigns: [
    "rules",
    "definition",
    "run",
    "audience",
    "schedule",
    "moves.ts",
    "entry",
    "calls",
    "engine/steps",
    "engine",
    "simulate/world",
    "simulate",
    "look",
    "intervene",
    "",
  ],
  compat: ["ground.ts", "ignored.ts", "answers.ts", "segment", "customerio", ""],
  cli: [
    "terminal",
    "connect",
    "workspaces",
    "campaigns",
    "type-files",
    "follow",
    "backup",
    "distribute",
    "demo",
    "start",
    "",
  ],
};
const SQL = ["sql", "prepared", "raw", "join", "empty"];
const MOST_LINES = 300;
const MOST_FILES = 15;
/** Folders with more files than allowed, each with its own limit. Remove a folder that no longer needs one. */
const CROWDED: Record<string, number> = {};

const src = fileURLToPath(new URL("../src/", import.meta.url));
const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
const sliceOf = (file: string): string => (file.includes("/") ? (file.split("/")[0] as string) : "");

/** Returns the index of a file's room in its slice, -1 where the room is not listed. A slice without rooms is one room. */
function placeOf(file: string): number {
  const rooms = ROOMS[sliceOf(file)] ?? [""];
  const inside = file.slice(sliceOf(file).length + 1);
  const named = rooms.indexOf(inside);
  return named >= 0 ? named : rooms.indexOf(inside.includes("/") ? dirname(inside) : "");
}

/**
 * Files that load modules on demand: otherwise `tidings --version` would load the whole server, and each start an IMAP client and 0.37 s of WebAuthn, which
 * only a job for bounce mailboxes and passkeys need, and OpenTelemetry, which most do not use.
 */
const ON_DEMAND = new Set([
  "cli/main.ts",
  "members/factors/webauthn.ts",
  "outbound/bounces/mailbox.ts",
  "platform/tracing/index.ts",
]);

/** Returns the faults of a file of src, as sentences. Tests are beside their files and may import anything. */
function faults(file: string, text: string): string[] {
  const found: string[] = [];
  const slice = sliceOf(file);
  const storey = storeyOf(slice);
  const ground = ["platform", "process", "cli", ""].includes(slice);
  // Words in comments and strings are not code.
  const code = text.replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"/g, "");
  if (storey === undefined) found.push(`the folder ${slice} has no storey`);
  if (placeOf(file) < 0) found.push(`the folder ${dirname(file)} is no room of ${slice}`);
  if (text.split("\n").length > MOST_LINES + 1) found.push(`is longer than ${MOST_LINES} lines`);
  if (/(^|\/)(utils?|helpers?|common|misc|shared|manager|types)(\.ts|\/)/.test(file))
    found.push("has a name that says nothing");
  if (file !== "platform/config.ts" && /process\s*\.\s*env\b/.test(code)) found.push("reads process.env");
  if (slice !== "platform" && !ON_DEMAND.has(file) && /\bimport\(/.test(code)) found.push("imports dynamically");

  for (const [, clause = "", from = ""] of text.matchAll(
    /^(?:import|export)\s+(?:([^;"']*?)\s+from\s+)?["']([^"']+)["']/gm,
  )) {
    if (!from.startsWith(".")) {
      if (from === "pg" && !ground) found.push("opens connections of its own");
      continue;
    }
    const target = normalize(join(dirname(file), from));
    const other = sliceOf(target);
    if (target.startsWith("..")) found.push(`leaves src for ${target}`);
    else if (other === slice) {
      if (placeOf(target) > placeOf(file)) found.push(`imports ${target}, which is in a room above`);
    } else {
      if ((storeyOf(other) ?? 99) >= (storey ?? -1)) found.push(`imports ${target}, which is not below`);
      if (other !== "platform" && other !== "" && target !== `${other}/index.ts`)
        found.push(`enters ${target} by another way than its door`);
      if (slice === "transactionals" && other === "inapp") found.push("uses in-app for a transactional");
      if (slice === "transactionals" && other === "sendings") found.push("says a transactional to many");
    }
    const values = /^type\b/.test(clause)
      ? []
      : clause
          .replaceAll(/[{}]/g, "")
          .split(",")
          .map((name) => name.trim());
    const writesSql = target.startsWith("platform/db/") && values.some((name) => SQL.includes(name));
    if (writesSql && !ground && !/[/-]store\.ts$/.test(file)) found.push("writes SQL outside store.ts");
  }
  return found;
}

/** Returns the faults of the folders of these files, as sentences. Tests are not counted. */
function crowded(paths: string[], allowed: Record<string, number>): string[] {
  const counts = new Map<string, number>();
  for (const path of paths)
    if (!/\.test\.tsx?$/.test(path)) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  return [...new Set([...counts.keys(), ...Object.keys(allowed)])].flatMap((folder) => {
    const count = counts.get(folder) ?? 0;
    const most = allowed[folder] ?? MOST_FILES;
    if (count > most) return [`${folder} has ${count} source files, more than ${most}: give it rooms`];
    if (folder in allowed && count <= MOST_FILES) return [`${folder} has ${count} files and needs no exception`];
    return [];
  });
}

test("no folder has more than 15 source files", () => {
  const root = join(src, "../..");
  const sources = ["server/src", "server/test/support", "sdk", "benchmarks", "dashboard/src"].flatMap((top) =>
    readdirSync(join(root, top), { recursive: true, encoding: "utf8" })
      .filter((path) => /(?<!\.d)\.tsx?$/.test(path) && !/(^|\/)(node_modules|dist)\//.test(path))
      .map((path) => `${top}/${path}`),
  );
  expect(crowded(sources, CROWDED)).toEqual([]);
});

test.each([
  [16, {}, "give it rooms"],
  [17, { "server/src/novelty": 16 }, "more than 16"],
  [15, { "server/src/novelty": 16 }, "needs no exception"],
])("%i files in a folder where %j are allowed are found", (count, allowed, fault) => {
  const paths = Array.from({ length: count }, (_, i) => `server/src/novelty/${i}.ts`);
  expect(crowded(paths, allowed).join()).toContain(fault);
});

/**
 * Words of the product, which the ground must not use: the slices, the resources of the product API and the things that all slices
 * handle. The name of a new slice or resource is added by itself.
 */
const WORDS = [
  ...storeys.slice(1).flatMap(({ slices }) => slices),
  ...[...readFileSync(join(src, "../../docs/api.md"), "utf8").matchAll(/^\| `[A-Z]+ \/api\/v1\/([a-z-]+)/gm)].map(
    ([, resource = ""]) => resource,
  ),
  ..."campaign delivery deliveries person recipient email sms in-app inbox trigger impression".split(" "),
];
/** Words of the product that PostgreSQL, HTTP, NATS, Node or the ground itself use with another meaning. */
const ALSO_OF_THE_GROUND =
  "workspace workspaces imports audit activity content events media outbound password session sessions subscriptions templates topics";
/** Files of the ground that name what the operator or a public standard names. */
const NAMING = new Set(["platform/config.ts", "platform/standard-webhooks.ts"]);

const words = [...new Set(WORDS)].filter((word) => !ALSO_OF_THE_GROUND.split(" ").includes(word));
/** The prefixes of the ids that slices declare. */
const prefixes = files
  .filter((file) => /^(?!platform)[^/]+\/index\.ts$/.test(file))
  .flatMap((file) => /interface Prefixes \{([^}]*)\}/.exec(readFileSync(join(src, file), "utf8"))?.[1] ?? [])
  .flatMap((list) => list.match(/\w+(?=: true)/g) ?? []);

/** Returns the words of the product in this code, in singular or plural, and the prefixes in quotes. */
function productWordsIn(text: string): string[] {
  const code = text.replaceAll(
    /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*|(?<=from |module )"[^"]*"|TypeProvider|TracerProvider/gm,
    "",
  );
  const names = (code.match(/[A-Za-z]\w*(?:-\w+)*/g) ?? []).map(
    (name) => `-${name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])|_/g, "-").toLowerCase()}-`,
  );
  return [
    ...words.filter((word) =>
      names.some((name) => name.includes(`-${word}-`) || name.includes(`-${word.replace(/s$/, "")}-`)),
    ),
    ...prefixes.filter((prefix) => new RegExp(`["\`]${prefix}["\`_]`).test(code)),
  ];
}

test("the ground knows no word of the product", () => {
  const found = files
    .filter((file) => file.startsWith("platform/") && !file.endsWith(".test.ts") && !NAMING.has(file))
    .flatMap((file) => productWordsIn(readFileSync(join(src, file), "utf8")).map((word) => `${file}: ${word}`));
  expect(found).toEqual([]);
});

test.each([
  ["const newPeople = windows(HOUR_MS);", "people"],
  ['encodeId("dlv", id)', "dlv"],
  ["labelNames: [`tidings_webhook_attempts`]", "webhooks"],
  ["person_id: string", "person"],
])("the ground may not say %j", (code, word) => {
  expect(productWordsIn(code)).toContain(word);
});

test.each(files.filter((file) => !file.endsWith(".test.ts")).sort())("src/%s keeps the rules of the house", (file) => {
  expect(faults(file, readFileSync(join(src, file), "utf8"))).toEqual([]);
});

test.each([
  ["people/find.ts", 'import { record } from "../activity/index.ts";', "not below"],
  ["people/find.ts", 'import { sync } from "../inapp/index.ts";', "not below"],
  ["platform/log.ts", 'import { product } from "../workspaces/index.ts";', "not below"],
  ["inapp/sync.ts", 'import {\n  findPeople,\n} from "../people/store.ts";', "another way than its door"],
  ["transactionals/trigger.ts", 'export { queue } from "../inapp/index.ts";', "in-app for a transactional"],
  ["transactionals/trigger.ts", 'import { queueTo } from "../sendings/index.ts";', "transactional to many"],
  ["inapp/sync.ts", 'import { type Db, sql } from "../platform/db/index.ts";', "SQL outside store.ts"],
  ["inapp/sync.ts", "const zone = process.env.TZ;", "process.env"],
  ["inapp/sync.ts", 'const x = await import("../people/index.ts");', "dynamically"],
  ["inapp/sync.ts", 'import { until } from "../../test/support/wait.ts";', "leaves src"],
  ["inapp/utils.ts", "", "says nothing"],
  ["novelty/index.ts", "", "no storey"],
  ["inapp/novelty/sync.ts", "", "no room"],
  ["inapp/sync/sync.ts", 'import { QUEUED } from "../stream/stream.ts";', "in a room above"],
  ["inapp/sync/sync.ts", 'import { routes } from "../gateway.ts";', "in a room above"],
  ["platform/db/pool.ts", 'import type { Ground } from "../ground.ts";', "in a room above"],
  ["inapp/sync.ts", "\n".repeat(MOST_LINES + 1), "longer than"],
])("in %s, %j is found", (file, text, fault) => {
  expect(faults(file, text).join()).toContain(fault);
});
