import { expect, test } from "vitest";
import { templatesService } from "../../server/test/support/services/templates.ts";
import { allBlocks, readEmail } from "../src/templates/blocks/list/block.ts";
import type { Saying } from "../src/templates/gallery/frame.ts";
import { starts } from "../src/templates/gallery/templates.ts";
import { texts } from "../src/templates/gallery/texts.ts";

const { template, preview } = await templatesService();
const languages: [string, Saying][] = (["English", "German"] as const).map((name, i) => [
  name,
  (key) => texts[key][i as 0 | 1],
]);
/** From here on Gmail cuts an email off. */
const GMAIL_BYTES = 102_000;

test("there are ten templates", () => expect(starts.length).toBe(10));

const all = starts.flatMap((start) => languages.map(([language, t]) => [start.name, language, start, t] as const));

test.each(all)("%s in %s is a whole email", async (_, __, start, t) => {
  const made = await template({
    name: start.name,
    subject: start.subject(t),
    preheader: start.preheader(t),
    body: start.body(t),
  });
  expect(made.format).toBe("mjml");
  expect(made.warnings).toBeUndefined();
  const person = { first_name: "Ada", email: "ada@example.com" };
  const shown = await preview(made.id, { person, message_data: start.data });
  expect(shown.missing).toEqual([]);
  for (const text of [shown.subject, shown.preheader, shown.body, shown.plaintext]) expect(text).not.toMatch(/\{[{%]/);
  expect(shown.subject.length).toBeLessThan(60);
  expect(Buffer.byteLength(shown.body)).toBeLessThan(GMAIL_BYTES);
  expect(shown.body).not.toMatch(/<img|https?:\/\/(?!\w+\.example|example\.com|www\.w3\.org)/);
  expect(shown.body).toContain('<meta name="color-scheme" content="light dark"');
  expect(shown.plaintext).not.toMatch(/[<>]|&\w+;/);
  const title = /<h1[^>]*>([^<]+)/.exec(shown.body)?.[1] ?? "nothing";
  expect(shown.plaintext.toLowerCase()).toContain(title.toLowerCase());
  if (start.use === "marketing") expect(start.body(t)).toContain("{{ unsubscribe_url }}");
  // Somebody without a name, and a call that gives only what it must.
  const bare = await preview(made.id, { person: {}, message_data: { url: "https://a.example", items: [] } });
  expect(bare.body).not.toMatch(/(?:Hi|Hallo) ,/);
});

test.each(all)("blocks show %s in %s without a block of code", (_, __, start, t) => {
  const email = readEmail(start.body(t));
  if ("at" in email) throw new Error(`unreadable at ${email.at}`);
  const kinds = [...allBlocks(email.blocks)].map(({ kind }) => kind);
  expect(kinds).not.toContain("code");
  expect(kinds).toContain("heading");
});
