import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { LAYOUTS, mjml, SNIPPETS, TEMPLATES, templatesService } from "../../test/support/services/templates.ts";

const { it, template, layout, snippet, read, preview } = await templatesService();
/** A snippet's name that no other test, and no earlier try of this one, has taken. */
const newName = () => `rune-${randomUUID()}`;
const patch = (url: string, body: object) => it.call("PATCH", url, { body });

describe("layouts", () => {
  test("one stands around the bodies of its templates, HTML and MJML", async () => {
    const html = await layout("<main>{{ content }}</main><footer>{{ person.plan }}</footer>");
    const plain = await template({ body: "<p>{{ trigger.x }}</p>", layout_id: html.id });
    const data = { person: { plan: "pro" }, message_data: { x: "<x>" } };
    expect((await preview(plain.id, data)).body).toBe("<main><p>&lt;x&gt;</p></main><footer>pro</footer>");

    const frame = await layout("<mjml><mj-body>{{ content }}</mj-body></mjml>", "MJML");
    expect(frame.format).toBe("mjml");
    const section = "<mj-section><mj-column><mj-text>inside</mj-text></mj-column></mj-section>";
    const one = await template({ body: section, layout_id: frame.id });
    expect(one.format).toBe("mjml");
    expect((await preview(one.id)).body).toMatch(/^<!doctype html>.*inside/s);

    const letter = await layout(mjml("<mj-text>{{content}}</mj-text>"), "Letter");
    const words = await template({ body: "<b>only words</b>", layout_id: letter.id });
    expect((await preview(words.id)).body).toContain("<b>only words</b>");
  });

  test("a changed layout makes a new version of its templates, another name does not", async () => {
    const frame = await layout("<i>{{ content }}</i>");
    const one = await template({ layout_id: frame.id });
    const other = await template();
    expect((await patch(`${LAYOUTS}/${frame.id}`, { name: "Renamed" })).body).toMatchObject({ name: "Renamed" });
    expect((await read(one.id)).version).toBe(1);
    const changed = await patch(`${LAYOUTS}/${frame.id}`, { body: "<b>{{ content }}</b>" });
    expect(changed.body).toMatchObject({ version: 3, name: "Renamed" });
    expect((await preview(one.id)).body).toBe("<b><p>Hello</p></b>");
    expect((await read(one.id)).version).toBe(2);
    expect((await read(other.id)).version).toBe(1);
    const versions = (await it.call("GET", `${TEMPLATES}/${one.id}/versions`)).body.data;
    expect(versions[0].cause).toBe("layout_changed");
  });

  test.each([
    ["<p>none</p>", "no {{ content }}", 1, 1],
    ["{{ content }}\n{{content}}", "a second time", 2, 1],
    ["{% raw %}{{ content }}{% endraw %}", "no {{ content }}", 1, 1],
    ["<mjml><mj-body>\n<mj-section>{{ content }}</mj-body></mjml>", "</mj-section> belongs", 2, 26],
    ['{{ content }}\n{% snippet "missing" %}', "no snippet", 2, 1],
    ["{{ content }}\n{% endif %}", "endif", 2, 1],
  ])("%j is refused: %s", async (body, what, line, column) => {
    const answer = await it.call("POST", LAYOUTS, { body: { name: "A", body } });
    expect(answer).toMatchObject({ status: 422, body: { code: "template_error", part: "layout", line, column } });
    expect(answer.body.detail).toContain(what);
  });

  test.each([
    ['<mj-style inline="inline">.a { color: red }</mj-style>', true],
    ["<mj-style\n  css-class='x' inline='inline'>.a { color: red }</mj-style>", true],
    ["<mj-style>.inline { color: red }</mj-style>", false],
  ])("%j: an author is told of styles that are not moved into elements: %s", async (style, told) => {
    const head = `<mjml><mj-head>${style}</mj-head><mj-body>`;
    const body = "<mj-section><mj-column><mj-text>x</mj-text></mj-column></mj-section>";
    const warnings = told ? [expect.objectContaining({ code: "style_not_inlined", field: "body" })] : undefined;
    const made = [
      [TEMPLATES, await template({ body: `${head}${body}</mj-body></mjml>` })],
      [LAYOUTS, await layout(`${head}{{ content }}</mj-body></mjml>`)],
      [SNIPPETS, await snippet(newName(), style)],
    ] as const;
    for (const [url, one] of made) {
      expect(one.warnings).toEqual(warnings);
      expect((await it.call("GET", `${url}/${one.id}`)).body).toEqual(one);
      expect((await it.call("GET", url)).body.data[0]).not.toHaveProperty("warnings");
    }
  });

  test("a PATCH that changes nothing makes no version of a layout or a snippet, nor of what is made with them", async () => {
    const rune = await snippet(newName(), "x");
    const frame = await layout(`<i>{% snippet "${rune.name}" %}{{ content }}</i>`);
    const one = await template({ layout_id: frame.id });
    const { name, body, format } = frame;
    for (const same of [{}, { name }, { body }, { format }, { name, body, format }])
      expect((await patch(`${LAYOUTS}/${frame.id}`, same)).body).toEqual(frame);
    expect((await patch(`${SNIPPETS}/${rune.id}`, { body: "x" })).body).toEqual(rune);
    expect((await it.call("GET", `${LAYOUTS}/${frame.id}`)).body).toEqual(frame);
    expect((await read(one.id)).version).toBe(1);
  });

  test("a change that breaks a template is refused, naming it, and changes nothing", async () => {
    const frame = await layout("<mjml><mj-body>{{ content }}</mj-body></mjml>");
    const body = "\n<mj-section><mj-column><mj-text>x</mj-text></mj-column></mj-section>";
    const one = await template({ name: "Fragile", body, layout_id: frame.id });
    const answer = await patch(`${LAYOUTS}/${frame.id}`, { body: mjml("<mj-text>{{ content }}</mj-text>") });
    expect(answer).toMatchObject({ status: 422, body: { template_id: one.id, part: "body", line: 2, column: 1 } });
    expect(answer.body.detail).toContain("Fragile");
    expect((await it.call("GET", `${LAYOUTS}/${frame.id}`)).body).toEqual(frame);
    expect((await read(one.id)).version).toBe(1);
  });

  test("a body that does not fit its layout is refused", async () => {
    const html = await layout("<i>{{ content }}</i>");
    const frame = await layout("<mjml><mj-body>{{ content }}</mj-body></mjml>");
    for (const [layout_id, body] of [
      [html.id, "<mj-section></mj-section>"],
      [frame.id, mjml("<mj-text>x</mj-text>")],
      [frame.id, "<p>x</p>"],
    ]) {
      const answer = await it.call("POST", TEMPLATES, { body: { name: "A", subject: "a", body, layout_id } });
      expect(answer).toMatchObject({ status: 422, body: { part: "body", line: 1, column: 1 } });
    }
  });

  test("one that a template has can't be deleted", async () => {
    const frame = await layout("<i>{{ content }}</i>");
    const one = await template({ name: "Holder", layout_id: frame.id });
    const answer = await it.call("DELETE", `${LAYOUTS}/${frame.id}`);
    expect(answer).toMatchObject({ status: 409, body: { code: "conflict", used_by: ["Holder"] } });
    await it.call("DELETE", `${TEMPLATES}/${one.id}`);
    expect((await it.call("DELETE", `${LAYOUTS}/${frame.id}`)).status).toBe(204);
  });
});

describe("snippets", () => {
  test("one stands in bodies, layouts and other snippets, and a change reaches all", async () => {
    await snippet("brand", "Acme");
    const foot = await snippet("foot", '<small>{% snippet "brand" %} {{ person.plan }}</small>');
    const frame = await layout(`{{ content }}{% snippet 'foot' %}`);
    const one = await template({ body: '{% snippet "brand" %}!', layout_id: frame.id });
    expect(one.snippets).toEqual(["brand", "foot"]);
    expect((await preview(one.id, { person: { plan: "pro" } })).body).toBe("Acme!<small>Acme pro</small>");
    const brand = (await it.call("GET", SNIPPETS)).body.data.find((s: { name: string }) => s.name === "brand");
    expect((await patch(`${SNIPPETS}/${brand.id}`, { body: "Bcme" })).body).toMatchObject({ version: 2 });
    expect((await preview(one.id)).body).toBe("Bcme!<small>Bcme </small>");
    await patch(`${SNIPPETS}/${foot.id}`, { body: "" });
    expect((await preview(one.id)).body).toBe("Bcme!");
    expect(await read(one.id)).toMatchObject({ version: 3, snippets: ["brand", "foot"] });
  });

  test("MJML in a snippet is compiled with the template, and errors in it are told by its name and line", async () => {
    const button = await snippet("button", '<mj-button href="{{ trigger.url }}">Go</mj-button>');
    const one = await template({ body: mjml('{% snippet "button" %}') });
    expect((await preview(one.id, { message_data: { url: "https://x.test/?a=1&b=2" } })).body).toContain(
      'href="https://x.test/?a=1&amp;b=2"',
    );
    const answer = await patch(`${SNIPPETS}/${button.id}`, { body: "fine\n <mj-button>" });
    expect(answer).toMatchObject({ status: 422, body: { part: "snippet button", line: 1, column: 1 } });
  });

  test("data that looks like a snippet's tag stays data", async () => {
    await snippet("secret", "SECRET");
    const one = await template({ body: "{{ trigger.x }}" });
    expect((await preview(one.id, { message_data: { x: '{% snippet "secret" %}' } })).body).toBe(
      "{% snippet &#34;secret&#34; %}",
    );
  });

  test("a snippet in itself, by whatever way, is refused", async () => {
    const a = await snippet("loop-a", "a");
    await snippet("loop-b", '{% snippet "loop-a" %}');
    await snippet("loop-c", '\n{% snippet "loop-b" %}');
    for (const inside of ["loop-a", "loop-b", "loop-c"]) {
      const answer = await patch(`${SNIPPETS}/${a.id}`, { body: `{% snippet "${inside}" %}` });
      expect(answer).toMatchObject({ status: 422, body: { code: "template_error" } });
      expect(answer.body.detail).toContain("in itself");
    }
    const self = await it.call("POST", SNIPPETS, { body: { name: "self", body: '{% snippet "self" %}' } });
    expect(self).toMatchObject({ status: 422, body: { part: "snippet self", line: 1, column: 1 } });
  });

  test("snippets in snippets have an end, and so has their number", async () => {
    await snippet("deep-0", "x");
    for (let i = 1; i <= 5; i++) await snippet(`deep-${i}`, `{% snippet "deep-${i - 1}" %}`);
    const deep = await it.call("POST", SNIPPETS, { body: { name: "deep-6", body: '{% snippet "deep-5" %}' } });
    expect(deep.body.detail).toContain("deeper than 5");
    await snippet("few", '{% snippet "deep-0" %}'.repeat(100));
    await snippet("many", '{% snippet "few" %}'.repeat(4));
    const answer = await it.call("POST", SNIPPETS, {
      body: { name: "too-many", body: '{% snippet "many" %}'.repeat(2) },
    });
    expect(answer.body.detail).toContain("more than 500 snippets");
    await snippet("long", "x".repeat(500_000));
    const long = await it.call("POST", SNIPPETS, { body: { name: "longer", body: '{% snippet "long" %}'.repeat(2) } });
    expect(long.body.detail).toContain("makes more than 524288 characters");
  });

  test("a name that is taken is a conflict, one that is no name is refused", async () => {
    await snippet("taken", "x");
    const taken = await it.call("POST", SNIPPETS, { body: { name: "taken", body: "y" } });
    expect(taken).toMatchObject({ status: 409, body: { code: "conflict", errors: [{ pointer: "/name" }] } });
    for (const name of ["", "Upper", "a b", 'a"b', "-a", "a".repeat(65)])
      expect((await it.call("POST", SNIPPETS, { body: { name, body: "y" } })).status).toBe(400);
  });

  test("one that stands in something can't be deleted", async () => {
    const inner = await snippet("inner", "x");
    const outer = await snippet("outer", '{% snippet "inner" %}');
    const one = await template({ name: "User", body: '{% snippet "outer" %}' });
    const refused = await it.call("DELETE", `${SNIPPETS}/${inner.id}`);
    expect(refused).toMatchObject({ status: 409, body: { used_by: ["User", "outer"] } });
    await it.call("DELETE", `${TEMPLATES}/${one.id}`);
    for (const { id } of [outer, inner]) expect((await it.call("DELETE", `${SNIPPETS}/${id}`)).status).toBe(204);
  });

  test("hostile Liquid in a snippet is refused where it is written", async () => {
    for (const body of ["\n{% include '.env' %}", "\n{% render 'a' %}", "\n{% if x %}", "\n{{ a | nonsense }}"]) {
      const answer = await it.call("POST", SNIPPETS, { body: { name: "hostile", body } });
      expect(answer).toMatchObject({ status: 422, body: { part: "snippet hostile", line: 2 } });
    }
  });

  test.for([1, 2, 3, 4, 5, 6, 7, 8])("templates and snippets changed at once agree in the end, round %i", async () => {
    const rune = await snippet(newName(), "0");
    const made = await Promise.all([
      ...[1, 2, 3].map((i) => patch(`${SNIPPETS}/${rune.id}`, { body: `v${i}` })),
      ...[1, 2, 3].map(() => template({ body: `{% snippet "${rune.name}" %}` })),
    ]);
    const now = (await it.call("GET", `${SNIPPETS}/${rune.id}`)).body;
    expect(now.version).toBe(4);
    for (const { id } of made.slice(3) as { id: string }[]) expect((await preview(id)).body).toBe(now.body);
  });

  test.for([1, 2, 3, 4, 5, 6, 7, 8])("of changes at once each stays, round %i", async () => {
    const frame = await layout("<i>{{ content }}</i>");
    const rune = await snippet(newName(), "0");
    const one = await template({ name: "Before", body: `{% snippet "${rune.name}" %}` });
    const answers = await Promise.all([
      patch(`${LAYOUTS}/${frame.id}`, { name: "After" }),
      patch(`${LAYOUTS}/${frame.id}`, { body: "<b>{{ content }}</b>" }),
      patch(`${TEMPLATES}/${one.id}`, { name: "After" }),
      patch(`${TEMPLATES}/${one.id}`, { subject: "After" }),
      patch(`${SNIPPETS}/${rune.id}`, { body: "after" }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const frameNow = (await it.call("GET", `${LAYOUTS}/${frame.id}`)).body;
    expect(frameNow).toMatchObject({ name: "After", body: "<b>{{ content }}</b>", version: 3 });
    expect(await read(one.id)).toMatchObject({ name: "After", subject: "After", version: 3 });
    expect((await preview(one.id)).body).toBe("after");
  });
});
