import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { RenderType } from "@tidings/contract/inapp/definition";
import { type ProviderKind, providerKinds } from "@tidings/contract/messages/providers";
import { expect, test } from "vitest";

// The files in which a render type, a kind of provider and a resource must be named, beyond what types and the OpenAPI documents check.
// A new one fails here with one sentence for each file that lacks it; CONTRIBUTING.md has the recipes.

const root = fileURLToPath(new URL("../../", import.meta.url));
const read = (path: string): string => readFileSync(root + path, "utf8");
/** Returns the text of all files in a folder. */
const folder = (path: string): string =>
  readdirSync(root + path, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => read(`${path}/${file}`))
    .join("\n");

/** A file or folder, the text that must name the thing there, and for whom. */
interface Mention {
  where: string;
  text: string;
  /** The text that must be there. */
  has: (name: string) => string | RegExp;
  /** The names that need not be there, with the reason. */
  not?: Record<string, string>;
}

/** Returns the places that lack a name, as sentences. */
function lacking(what: string, name: string, places: Mention[]): string[] {
  return places
    .filter(({ not = {} }) => !Object.hasOwn(not, name))
    .filter(({ text, has }) => {
      const wanted = has(name);
      return typeof wanted === "string" ? !text.includes(wanted) : !wanted.test(text);
    })
    .map(({ where, has }) => `${where} lacks the ${what} ${name}: ${has(name)}`);
}

/** The component of sdk/react that draws each render type. */
const COMPONENTS = {
  modal: "InAppModal",
  banner: "InAppBanner",
  inline: "InAppInline",
  inbox_card: "InboxCard",
} satisfies Record<RenderType, string>;
const component = (name: string): string => COMPONENTS[name as RenderType] ?? "a component in COMPONENTS of this test";

const ofRenderTypes: Mention[] = [
  { where: "docs/in-app.md", text: read("docs/in-app.md"), has: (name) => `\`${name}\`` },
  { where: "sdk/react/src/index.ts", text: read("sdk/react/src/index.ts"), has: component },
  { where: "sdk/react/README.md", text: read("sdk/react/README.md"), has: component },
  {
    where: "examples/shop/server/messages.ts",
    text: read("examples/shop/server/messages.ts"),
    has: (name) => new RegExp(`^ +${name}: \\{`, "m"),
  },
  { where: "examples/shop/src/pages.tsx", text: read("examples/shop/src/pages.tsx"), has: (name) => `["${name}",` },
  { where: "examples/shop/test", text: folder("examples/shop/test"), has: (name) => `give("${name}")` },
];

const renderTypes = (RenderType as unknown as { enum: string[] }).enum;

test.each(renderTypes)("the render type %s is named in each place that needs it", (name) => {
  expect(lacking("render type", name, ofRenderTypes)).toEqual([]);
});

test("a new render type fails with each place that lacks it", () => {
  expect(lacking("render type", "carousel", ofRenderTypes)).toHaveLength(ofRenderTypes.length);
});

/** Kinds that do not call back. The outcome of their messages comes from their answers, or from a mailbox. */
const SILENT = {
  local: "sends nothing",
  smtp: "bounces come to a mailbox",
  fcm: "answers at once",
  apns: "answers at once",
  webpush: "answers at once",
};
const emulators = readdirSync(`${root}server/test/support/providers`)
  .map((file) => `emulator of ${file.replace(".ts", "")}\n`)
  .join("");

const ofProviders: Mention[] = [
  { where: "docs/providers.md", text: read("docs/providers.md"), has: (kind) => new RegExp(`^## ${kind}\\b`, "m") },
  {
    where: "the table of callbacks in docs/providers.md",
    text: read("docs/providers.md"),
    has: (kind) => new RegExp(`^\\| ${kind} +\\|`, "m"),
    not: { ...SILENT, http: "its own section says how it calls back" },
  },
  {
    where: "server/src/outbound/callbacks/index.ts",
    text: read("server/src/outbound/callbacks/index.ts"),
    has: (kind) => `./${kind}.ts`,
    not: SILENT,
  },
  {
    where: "server/test/support/callbacks",
    text: folder("server/test/support/callbacks"),
    has: (kind) => `kind: "${kind}"`,
    not: { ...SILENT, ses: "ses.test.ts has Amazon's certificate" },
  },
  {
    where: "server/test/support/providers",
    text: folder("server/test/support/providers") + emulators,
    has: (kind) => new RegExp(`kind: "${kind}"|^emulator of ${kind}$`, "m"),
    not: { local: "sends nothing", smtp: "server/test/support/mail has real servers" },
  },
];

test.each(Object.keys(providerKinds) as ProviderKind[])(
  "the provider %s is named in each place that needs it",
  (kind) => {
    expect(lacking("provider", kind, ofProviders)).toEqual([]);
  },
);

test("a new provider fails with each place that lacks it", () => {
  expect(lacking("provider", "carrierpigeon", ofProviders)).toHaveLength(ofProviders.length);
});

const routes = [...read("docs/api.md").matchAll(/^\| `(?:PATCH|DELETE) \/api\/v1\/([a-z-]+)\/:/gm)];
const resources = [...new Set(routes.map(([, resource = ""]) => resource))];

/** Routes of a person who uses the dashboard, which no key opens and which belong to no workspace. */
const OF_PERSONS = "server/src/members has the tests";

const ofResources: Mention[] = [
  {
    where: "server/test/flows/tenants.test.ts, which tries the ids of another workspace,",
    text: read("server/test/flows/tenants.test.ts"),
    has: (resource) => `"/api/v1/${resource}"`,
    not: {
      people: "the test names a person by identify",
      "signing-secrets": "the test tries its routes with the ids of all others",
      sessions: OF_PERSONS,
      passkeys: OF_PERSONS,
    },
  },
  {
    where: "sdk/node/src/product.ts",
    text: read("sdk/node/src/product.ts"),
    has: (resource) => `/api/v1/${resource}`,
    not: { sessions: OF_PERSONS, passkeys: OF_PERSONS },
  },
];

test.each(resources)("the resource %s is named in each place that needs it", (resource) => {
  expect(lacking("resource", resource, ofResources)).toEqual([]);
});

test("a new resource fails with each place that lacks it", () => {
  expect(resources.length).toBeGreaterThan(10);
  expect(lacking("resource", "pigeons", ofResources)).toHaveLength(ofResources.length);
});
