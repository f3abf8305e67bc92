import fc from "fast-check";
import { expect, test } from "vitest";
import { rewritten } from "./rewrite.ts";

const tracked = (html: string, pixel?: string) =>
  rewritten(html, (target) => `T(${encodeURIComponent(target)})`, pixel);
const T = (target: string) => `T(${encodeURIComponent(target)})`;

test.each([
  ["double quotes", '<a href="https://x.test/a?b=1">', `<a href="${T("https://x.test/a?b=1")}">`],
  ["single quotes", "<a class=b href='http://x.test'>", `<a class=b href='${T("http://x.test")}'>`],
  ["no quotes", "<a href=http://x.test/?a=1>t</a>", `<a href=${T("http://x.test/?a=1")}>t</a>`],
  ["entities", '<a href="https://x.test/?a=1&amp;b=2&#38;c">', `<a href="${T("https://x.test/?a=1&b=2&c")}">`],
  ["an entity at the start", '<a href="&#104;ttps://x.test">', `<a href="${T("https://x.test")}">`],
  ["an ampersand that is none", '<a href="https://x.test/?a=1&b=2">', `<a href="${T("https://x.test/?a=1&b=2")}">`],
  ["capitals and spaces", '<A\n HREF = " HTTPS://X.test ">', `<A\n HREF = "${T("HTTPS://X.test")}">`],
  ["an image map", '<area shape=rect href="http://x.test">', `<area shape=rect href="${T("http://x.test")}">`],
  ["a > in another attribute", '<a title="a>b" href="http://x.test">', `<a title="a>b" href="${T("http://x.test")}">`],
])("a link with %s is tracked", (_what, html, expected) => {
  expect(tracked(html)).toBe(expected);
});

test.each([
  '<a href="mailto:a@x.test">',
  '<a href="tel:+491">',
  '<a href="#top">',
  '<a href="/relative">',
  '<a href="//x.test/">',
  '<a href="javascript:alert(1)">',
  '<a href="app://offers">',
  "<a href>",
  '<a href="">',
  '<a href="http://">',
  `<a href="https://x.test/${"a".repeat(2_000)}">`,
  `<a href="https://${"ä.".repeat(200)}test/">`,
  '<img src="https://x.test/a.png">',
  '<link href="https://x.test/a.css">',
  '<a data-href="https://x.test/">',
  "<!-- <a href='https://x.test'> -->",
  "<style>a[href='https://x.test'] { color: red }</style>",
  "<script>'<a href=\"https://x.test\">'</script>",
  "<title><a href='https://x.test'></title>",
  "text https://x.test <p title='<a href=https://x.test>'>",
  '<a href="https://x.test',
])("%s stays as it is", (html) => {
  expect(tracked(html)).toBe(html);
});

test("the pixel is before the end of the body, or at the end of the HTML", () => {
  expect(tracked("<html><body><p>A</p></BODY ></html>", "[P]")).toBe("<html><body><p>A</p>[P]</BODY ></html>");
  expect(tracked("<p>A</p>", "[P]")).toBe("<p>A</p>[P]");
  expect(tracked("<p>A<!-- </body> -->", "[P]")).toBe("<p>A<!-- </body> -->[P]");
  expect(tracked("", "[P]")).toBe("[P]");
});

test("everything but links keeps every byte, in any HTML", () => {
  const bits = fc.constantFrom(
    ..."<>\"'=&/! \n".split(""),
    "a ",
    "<a ",
    "href=",
    "https://x.test/",
    "&amp;",
    "<!--",
    "-->",
    "</body>",
    "<style>",
    "ü😀",
  );
  fc.assert(
    fc.property(fc.array(bits, { maxLength: 60 }), (list) => {
      const html = list.join("");
      expect(rewritten(html, () => undefined)).toBe(html);
      // Each position that is found is a web address: without it the rest stays.
      const targets: string[] = [];
      const out = rewritten(html, (target) => {
        targets.push(target);
        return "\u0001";
      });
      const parts = out.split("\u0001");
      expect(parts.length - 1).toBe(targets.length);
      let at = 0;
      for (const part of parts) {
        const found = html.indexOf(part, at);
        expect(found).toBeGreaterThanOrEqual(at);
        at = found + part.length;
      }
      for (const target of targets) expect(new URL(target).protocol).toMatch(/^https?:$/);
    }),
    { numRuns: 500 },
  );
});

test("half a megabyte of links is rewritten, up to a thousand of them", () => {
  const html = '<p><a href="https://x.test/?q=1">link</a>'.repeat(12_000);
  expect(tracked(html).match(/T\(/g)).toHaveLength(1_000);
});
