import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { eventTypes } from "@tidings/contract/webhooks";
import { expect, test } from "vitest";
import { entryTexts } from "../src/activity/entry-texts.ts";
import { kinds as ownKinds } from "../src/activity/log/kinds.ts";
import { texts as activityTexts } from "../src/activity/texts.ts";

// Rules of the dashboard's sources, beside those of server/test/architecture.test.ts.

const src = fileURLToPath(new URL("../src/", import.meta.url));
const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((name) => /\.tsx?$/.test(name));
const read = (file: string) => readFileSync(join(src, file), "utf8");

/** From the bottom to the top: a folder imports from itself and from those below. "" stands for main.tsx. */
const ORDER = [
  ["platform"],
  ["live", "find-person"],
  ["activity"],
  [
    "people",
    "outbound",
    "subscriptions",
    "webhooks",
    "outflow",
    "workspaces",
    "members",
    "analytics",
    "ingest",
    "media",
    "screens",
  ],
  ["content", "audiences"],
  ["inapp", "templates"],
  ["sendings"],
  ["transactionals", "broadcasts", "campaigns"],
  ["tasks"],
  ["search"],
  ["home"],
  ["app"],
  [""],
];
/** The files of the contract whose code the dashboard may load: they load nothing themselves, above all no schema. */
const PURE = [
  "@tidings/contract/audience/verdict",
  "@tidings/contract/campaigns/journey",
  "@tidings/contract/campaigns/incomplete",
];
const folderOf = (file: string) => (file.includes("/") ? (file.split("/")[0] as string) : "");
const storeyOf = (file: string) => ORDER.findIndex((folders) => folders.includes(folderOf(file)));

function faults(file: string, text: string): string[] {
  const found: string[] = [];
  if (storeyOf(file) < 0) found.push("the folder has no storey");
  if (text.split("\n").length > 301) found.push("is longer than 300 lines");
  for (const [, clause = "", from = ""] of text.matchAll(
    /^(?:import|export)\s+(?:([^;"']*?)\s+from\s+)?["']([^"']+)["']/gm,
  )) {
    const types = /^type\b/.test(clause) || PURE.includes(from);
    if (/^(?:@tidings\/contract|typebox)/.test(from) && !types) found.push(`loads code of ${from}`);
    if (!from.startsWith(".") || from.endsWith(".svg")) continue;
    const target = normalize(join(dirname(file), from));
    if (folderOf(target) !== folderOf(file) && storeyOf(target) >= storeyOf(file))
      found.push(`imports ${target}, which is not below`);
  }
  // Catalogs say everything in both languages, and nobody reads a test.
  if (/(?:texts|\.test)\.ts$/.test(file)) return found;
  // Texts between tags, and in attributes that a person reads or hears.
  const code = text.replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*/g, "");
  for (const [, words] of code.matchAll(/(?:^|[^=])>\s*([A-Za-z][a-z]+(?: [\w,.]+)*)\s*<\//gm))
    if (!/^(?:Tidings|Ctrl K)$/.test(words as string)) found.push(`says ${words} in one language`);
  for (const [, words] of code.matchAll(/\s(?:label|title|placeholder|description|aria-label)="([^"]+)"/g))
    if (!/^(?:Acme <hello@acme.test>|Language \/ Sprache|Breadcrumb)$/.test(words as string))
      found.push(`says ${words} in one language`);
  return found;
}

test.each(files.filter((file) => /\.tsx?$/.test(file)))("%s keeps the rules", (file) => {
  expect(faults(file, read(file))).toEqual([]);
});

test.each([
  ["people/person.tsx", 'import { Home } from "../home/home.tsx";', "not below"],
  ["platform/trail.tsx", 'import { Badge } from "../activity/status.tsx";', "not below"],
  ["people/person.tsx", 'import { Person } from "@tidings/contract/facts/people";', "loads code"],
  ["people/person.tsx", "return <h2>Devices</h2>;", "in one language"],
  ["people/person.tsx", 'return <TextInput label="Name" />;', "in one language"],
  ["novelty/x.tsx", "", "no storey"],
])("in %s, %j is found", (file, text, fault) => {
  expect(faults(file, text).join()).toContain(fault);
});

type Catalog = Record<string, readonly [string, string]>;
const places = (text: string) => [...new Set(text.match(/\{\w+\}/g) ?? [])].toSorted().join();

test.each(files.filter((file) => /texts\.ts$/.test(file) && file !== "platform/language/texts.ts"))(
  "%s says the same in each language",
  async (file) => {
    const catalogs: Record<string, Catalog> = await import(pathToFileURL(join(src, file)).href);
    const wrong = Object.values(catalogs)
      .flatMap((texts) => Object.entries(texts))
      .filter(
        ([, [en, de]]) =>
          en === "" || de === "" || places(en) !== places(de) || en.split("||").length !== de.split("||").length,
      );
    expect(wrong).toEqual([]);
  },
);

test("the log can be filtered by each kind of entry, and by no other", () => {
  expect(ownKinds.toSorted()).toEqual([...eventTypes].toSorted());
});

test("each kind of entry of the log has words, and no words are for a kind that is none", () => {
  const kinds = [...eventTypes, "person.tracked", "person.device_added"];
  const hasWords = (kind: string) => kind in entryTexts || (kind.split(".")[1] as string) in activityTexts;
  expect(kinds.filter((kind) => !kind.startsWith("webhook.") && !hasWords(kind))).toEqual([]);
  expect(Object.keys(entryTexts).filter((kind) => !kinds.includes(kind))).toEqual([]);
});
