import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { htmlOf as htmlFor, MarkupError, renderParts, textOf } from "../index.ts";

const htmlOf = (mjml: string): Promise<string> => htmlFor(mjml, "w");

const body = (inside: string): string => `<mjml><mj-body>${inside}</mj-body></mjml>`;
const column = (inside: string): string => body(`<mj-section><mj-column>${inside}</mj-column></mj-section>`);
const text = (inside: string): string => column(`<mj-text>${inside}</mj-text>`);

async function fault(source: string): Promise<{ what: string; line: number; column: number }> {
  try {
    await htmlOf(source);
  } catch (error) {
    if (!(error instanceof MarkupError)) throw error;
    const before = source.slice(0, error.at).split("\n");
    return { what: error.message, line: before.length, column: (before.at(-1) as string).length + 1 };
  }
  throw new Error("it compiled");
}

describe("MJML", () => {
  test("becomes HTML with the text in it, and names no font server that the author did not name", async () => {
    const html = await htmlOf(text("<p>Hällo<br>you &amp; me</p>"));
    expect(html).toMatch(/^<!doctype html>/);
    expect(html).toContain("Hällo<br />you &amp; me");
    expect(html).not.toContain("googleapis");
    expect(html).not.toContain("<mj");
  });

  test("a font that the author names is kept", async () => {
    const head = '<mj-head><mj-font name="Raleway" href="https://fonts.test/r.css" /></mj-head>';
    const source = text("x")
      .replace("<mj-body>", `${head}<mj-body>`)
      .replace("<mj-text", '<mj-text font-family="Raleway"');
    expect(await htmlOf(source)).toContain("https://fonts.test/r.css");
  });

  test("Liquid survives in text, in attributes with quotes in it, in styles, comments and the head", async () => {
    const pieces = [
      `{{ trigger.a | default: "a & b" }}`,
      `{{ trigger.b | default: 'x > y' }}`,
      "{{ trigger.css }}",
      "{{- trigger.c -}}",
      "{% if trigger.n < 3 and trigger.m > 4 %}",
      "{% endif %}",
    ] as const;
    const html = await htmlOf(
      `<mjml><mj-head><mj-title>${pieces[3]}</mj-title><mj-style>.a { color: ${pieces[2]} }</mj-style></mj-head>` +
        `<mj-body><!-- ${pieces[0]} --><mj-section background-color="${pieces[1]}"><mj-column><mj-text>${pieces[4]}` +
        `<b>${pieces[0]}</b>${pieces[5]}</mj-text><mj-button href="https://x.test/?a=${pieces[0]}&b=1">Go</mj-button>` +
        "</mj-column></mj-section></mj-body></mjml>",
    );
    for (const piece of pieces) expect(html).toContain(piece);
    expect(html).toContain(`href="https://x.test/?a=${pieces[0]}&b=1"`);
    expect(html).toContain(`background-color:${pieces[1]}`);
  });

  test("Liquid between elements shows, hides and repeats them", async () => {
    const source = `{% assign hue = "red" %}<mjml><mj-body>{% for item in trigger.items %}<mj-section><mj-column>
      {% if item.price > 3 %}<mj-text color="{{ hue }}">{{ item.name }}</mj-text>{% endif %}
      </mj-column></mj-section>{% endfor %}</mj-body></mjml>{% comment %}end{% endcomment %}`;
    const html = await htmlOf(source);
    const items = [
      { name: "<tea>", price: 4 },
      { name: "dust", price: 1 },
    ];
    const [out] = await renderParts([{ name: "body", source: html, html: true }], {
      person: {},
      trigger: { items },
      turn: { workspaceId: "w", kind: "bulk" },
    });
    expect(out).toContain("&lt;tea&gt;");
    expect(out).toContain("color:red");
    expect(out).not.toContain("dust");
    expect(out?.match(/<table align="center"/g) ?? out?.match(/max-width:600px/g)).toHaveLength(2);
  });

  test("whatever Liquid stands in text and attributes comes out as it was, in its order", async () => {
    const inside = fc.string({ unit: fc.constantFrom(..."ab <>&.|:'é{%".split("")), maxLength: 12 });
    const output = inside.filter((x) => !/['}]/.test(x)).map((x) => `{{ ${x} }}`);
    const tag = inside.map((x) => `{% ${x.replaceAll("%}", "")} %}`);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(output, tag), { minLength: 1, maxLength: 5 }), output, async (many, value) => {
        const html = await htmlOf(column(`<mj-text css-class="${value}">${many.join("&lt;")}</mj-text>`));
        expect(html).toContain(many.join("&lt;"));
        expect(html).toContain(`class="${value}"`);
      }),
      { numRuns: 60 },
    );
  });
});

describe("MJML as other editors write it", () => {
  // Each line has a form that stands in templates of the MJML project.
  const whole = `<mjml>
  <mj-head>
    <mj-title>Shop</mj-title>
    <mj-font
      name="Inter"
      href="https://fonts.test/inter" />
    <mj-attributes>
      <mj-all padding="0px"></mj-all>
      <mj-class name="a" color="red" />
    </mj-attributes>
    <mj-style inline="inline"
      >.link { color: blue; }</mj-style>
  </mj-head>
  <mj-body>
    <mj-section>
      <mj-column>
        <mj-navbar hamburger="hamburger">
          <mj-navbar-link href="https://a.test">HOME</mj-navbar-link>
          <mj-navbar-link href="https://b.test">BLOG</mj-navbar-link>
          <mj-navbar-link href="https://c.test">STORE</mj-navbar-link>
        </mj-navbar>
        <mj-social mode="horizontal">
          <mj-social-element name="web" src="https://e.test/d.png"></mj-social-element>
        </mj-social>
        <mj-image src="https://e.test/x.png">
        </mj-image>
        <mj-text>
          <b>one</b>
          <i>two</i>
          <a href="https://f.test">three</a>
        </mj-text>
        <mj-table>
          <tr>
            <td>cell</td>
          </tr>
        </mj-table>
      </mj-column
      >a
    </mj-section>
  </mj-body>
</mjml>
`;

  test.each([
    ["LF", whole],
    ["CRLF", whole.replaceAll("\n", "\r\n")],
    ["tabs and blank lines", whole.replaceAll("\n", "\n\n\t")],
  ])("compiles with %s, and words stay apart", async (_form, source) => {
    const html = await htmlOf(source);
    expect(
      (await textOf(html, { workspaceId: "w", kind: "bulk" }))
        .replace(/\[https:[^\]]*\]/g, "")
        .split(/\s+/)
        .join(" "),
    ).toContain("☰ ⊗ HOME BLOG STORE one two three cell");
    expect(html).toContain(".link { color: blue; }");
  });

  test("what is raw in a wrapper is not for Outlook alone", async () => {
    const section = "<mj-section><mj-column><mj-text>section</mj-text></mj-column></mj-section>";
    const html = await htmlOf(body(`<mj-wrapper>${section}<mj-raw><p>raw</p></mj-raw>${section}</mj-wrapper>`));
    expect(await textOf(html, { workspaceId: "w", kind: "bulk" })).toMatch(/section\s+raw\s+section/);
  });

  test.each(["constructor", "toString", "valueOf", "hasOwnProperty", "isPrototypeOf"])(
    "<%s> is an element like others, and its name an attribute",
    async (name) => {
      for (const source of [text(`<${name}>x</${name}>`), text(`<b ${name}="y">x</b>`)])
        expect(await htmlOf(source)).toContain("x");
      const inHead = `<mjml><mj-head><mj-attributes><${name} color="red" /></mj-attributes></mj-head>`;
      const documents = [
        body(`<${name}>x</${name}>`),
        column(`<mj-text ${name}="y">x</mj-text>`),
        column(`<mj-${name}>x</mj-${name}>`),
        `${inHead}<mj-body></mj-body></mjml>`,
      ];
      for (const source of documents) {
        const html = await htmlOf(source).catch((error: unknown) => error);
        if (typeof html !== "string") {
          expect(html).toBeInstanceOf(MarkupError);
          expect((html as Error).message).not.toContain("can't be compiled");
        }
      }
    },
  );
});

describe("MJML that can't be compiled", () => {
  test.each([
    ["</mj-body> where </mj-section> belongs", "<mjml>\n <mj-body>\n  <mj-section>\n </mj-body></mjml>", 4, 2],
    ["<mj-body> is never closed", "<mjml>\n<mj-body>", 2, 1],
    ["a tag that is never closed", "<mjml>\n<mj-body", 2, 9],
    ["must be one <mjml>", "<p>x</p>", 1, 1],
    ["no <mjml>", "", 1, 1],
    ["must be one <mjml>", `${body("")}\n${body("")}`, 2, 1],
    ["<mj-foo>, which is no element", body("\n  <mj-foo />"), 2, 3],
    ["<mj-text> in <mj-section>", body("<mj-section>\n<mj-text>x</mj-text></mj-section>"), 2, 1],
    ["text between elements", body("\n  words"), 2, 3],
    ["no file is read", column('\n<mj-include path="/etc/passwd" />'), 2, 1],
    ["a < that begins no element", text("\n a < b"), 2, 4],
    ["</mj-text> where </p> belongs", text("<p>\nunclosed"), 2, 9],
    ["a < that begins no element", text("<![CDATA[ x ]]>"), 1, 48],
    ["a < that begins no element", '<!DOCTYPE mjml [<!ENTITY a "b">]><mjml></mjml>', 1, 1],
    ["Liquid that is never closed", text("\n{{ never"), 2, 1],
    ["Liquid beside the attributes", text("<a\n{% if x %}href='y'{% endif %}>x</a>"), 2, 1],
    ["Liquid between the elements of <mj-social>", column("<mj-social>\n{% if x %}</mj-social>"), 2, 1],
    ["invalid attribute", column("<mj-text>\u00e9\u00e9</mj-text>\n<mj-image src=x />"), 2, 15],
    ["nested deeper than 100", text("<b>".repeat(200)), 1, 333],
    ["more than 2000 elements of MJML", column("<mj-divider/>".repeat(2_001)), 1, 25987],
    ["longer than 4000", column(`<mj-text css-class="${"x".repeat(5_000)}">x</mj-text>`), 1, 58],
  ])("%s: the error says so, with line and column", async (what, source, line, at) => {
    const found = await fault(source);
    expect(found.what).toContain(what);
    expect([found.line, found.column]).toEqual([line, at]);
  });

  test("random markup compiles or is refused, and never breaks the compiler", async () => {
    const words = [
      "<mjml>",
      "</mjml>",
      "<mj-body>",
      "</mj-body>",
      "<mj-section>",
      "</mj-section>",
      "<mj-column>",
      "<mj-text>",
    ];
    const more = ["</mj-text>", "{{ a }}", "{% b %}", "<!--", "-->", "<p", ">", '"', "=", "é", "&", "<", "/", "</"];
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...words, ...more), { maxLength: 30 }), async (parts) => {
        const source = parts.join("");
        for (const document of [source, text(source)]) {
          const html = await htmlOf(document).catch((error: unknown) => error);
          if (typeof html !== "string") expect(html).toBeInstanceOf(MarkupError);
        }
      }),
      { numRuns: 150 },
    );
    expect(await htmlOf(text("still there"))).toContain("still there");
  });

  test("defaults that make 70 MB of HTML are ended, and the next document compiles", async () => {
    const names = ["css-class", "background-color", "color", "padding", "border", "font-family", "align", "href"];
    const defaults = names.map((name) => `${name}="${"x".repeat(3_900)}"`).join(" ");
    const head = `<mj-head><mj-attributes><mj-all ${defaults} /></mj-attributes></mj-head>`;
    const source = column("<mj-button>x</mj-button>".repeat(1_900)).replace("<mjml>", `<mjml>${head}`);
    const before = process.threadCpuUsage();
    expect((await fault(source)).what).toMatch(/takes longer than|makes more than|can't be compiled/);
    const { user, system } = process.threadCpuUsage(before);
    // All of it happens in another thread: this one only waits. In microseconds.
    expect(user + system).toBeLessThan(250_000);
    expect(await htmlOf(text("next"))).toContain("next");
  });

  test("more HTML than a template may have is refused", async () => {
    expect((await fault(column("<mj-button>x</mj-button>".repeat(1_900)))).what).toContain("makes more than");
  });
});
