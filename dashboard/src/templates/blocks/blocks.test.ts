import fc from "fast-check";
import { expect, test } from "vitest";
import { allBlocks, type Block, blockFrom, type Email, readEmail, wordsOf } from "./list/block.ts";
import { looksOf } from "./list/looks.ts";
import { added, moved, removed, repeated, unwrapped, wrapped } from "./list/moves.ts";
import { changed, withAttribute, withInner } from "./mjml/edit.ts";
import { decoded, encoded } from "./mjml/entities.ts";
import { attributeOf } from "./mjml/tree.ts";
import { htmlOf, richOf } from "./text/rich.ts";

const email = (source: string): Email => {
  const read = readEmail(source);
  if ("at" in read) throw new Error(`unreadable at ${read.at}`);
  return read;
};
const document = (inside: string) => `<mjml>\n  <mj-body>\n${inside}\n  </mj-body>\n</mjml>\n`;
const outline = (blocks: Block[]): string =>
  blocks.map(({ kind, children }) => (children.length > 0 ? `${kind}(${outline(children)})` : kind)).join(" ");

const ORDER = `{% assign hue = "red" %}<mjml>
  <mj-head>
    <mj-attributes><mj-all font-family="Arial" /><mj-text color='#111' /><mj-class name="big" font-size="30px" /></mj-attributes>
    <mj-style>.a > b { color: red } <!-- < --></mj-style>
  </mj-head>
  <mj-body width="640px">
    <!-- what was bought -->
    {%- for item in trigger.items -%}
    <mj-section css-class="card"><mj-column>
      {% if item.price > 3 %}<mj-text color="{{ hue }}">Hi {{ person.first_name | default: "<b>" }} &amp; co</mj-text>{% endif %}
      <mj-table><tr><td>{{ item.name }}</td></tr></mj-table>
      <mj-button
        href="https://x.test/?a={{ trigger.id | default: "x" }}&b=1">Go</mj-button>
    </mj-column></mj-section>
    {%- endfor -%}
    {% snippet "footer" %}
    <mj-section>
      <mj-column><mj-text mj-class="big"><h1 style="margin:0">Bye</h1></mj-text></mj-column>
      <mj-column />
    </mj-section>
  </mj-body>
</mjml>`;

test("an email is read to blocks, and what no block can show is code", () => {
  const read = email(ORDER);
  expect(outline(read.blocks)).toBe(
    "code repeat(section(column(condition(text) code button))) code section(column(heading) column)",
  );
  const look = looksOf(read);
  const [text, heading] = [...allBlocks(read.blocks)].filter(({ kind }) => /text|heading/.test(kind));
  expect(look(text?.element as never, "color")).toBe("{{ hue }}");
  expect(look(heading?.element as never, "color")).toBe("#111");
  expect(look(heading?.element as never, "font-size")).toBe("30px");
  expect(look(heading?.element as never, "padding")).toBe("10px 25px");
});

test("Liquid that begins in one block and ends in another makes what is around it code", () => {
  const source = document(
    "<mj-section><mj-column>{% if a %}</mj-column><mj-column>{% endif %}</mj-column></mj-section>",
  );
  expect(outline(email(source).blocks)).toBe("section(code code)");
});

test.each(["<p>HTML</p>", "<mjml><mj-body><mj-section></mj-body></mjml>", "{% if %}", "<mjml", ""])(
  "%j has no blocks",
  (source) => expect(readEmail(source)).toHaveProperty("at"),
);

test("what stands in a layout is read without a document", () => {
  const source = "<mj-section><mj-column><mj-text>Hi</mj-text></mj-column></mj-section>";
  expect(outline(email(source).blocks)).toBe("section(column(text))");
  expect(email("<mj-text>a</mj-text>").holds).toBe("content");
});

// Emails of all kinds of blocks, code that no block can show, and Liquid, with and without line breaks.
const gap = fc.constantFrom("", "\n", "\n    ", "\r\n\t", " ");
const words = fc.constantFrom(
  "Hi {{ person.first_name | default: 'you' }}",
  "<b>a</b> &amp; b<br>c",
  "{% if trigger.n > 3 %}many{% else %}few{% endif %}",
  "<p>1</p><ul><li>x</li></ul>",
  '<div style="a">unknown</div>',
  "<h2>Title</h2>",
  "<!-- c -->",
  "",
);
const content = fc.oneof(
  words.map((text) => `<mj-text color="red">${text}</mj-text>`),
  fc.constantFrom(
    '<mj-button href="https://a.test/?a={{ trigger.a }}&b=1">Go</mj-button>',
    '<mj-image src="https://a.test/x.png" alt="A > B"/>',
    "<mj-divider />",
    "<mj-raw><p>raw {{ x }}</p></mj-raw>",
    "<mj-social><mj-social-element name='web' href='#'>w</mj-social-element></mj-social>",
    '{% snippet "footer" %}',
    "<!-- note -->",
    "{% if a < b %}<mj-spacer height='4px'/>{% endif %}",
  ),
);
const listOf = <T>(one: fc.Arbitrary<T>) => fc.array(fc.tuple(gap, one), { maxLength: 4 });
const joined = (items: [string, string][], last: string) => items.map((pair) => pair.join("")).join("") + last;
const column = fc.tuple(listOf(content), gap).map(([items, last]) => `<mj-column>${joined(items, last)}</mj-column>`);
const section = fc.tuple(listOf(column), gap).map(([items, last]) => `<mj-section>${joined(items, last)}</mj-section>`);
const top = fc.oneof(
  section,
  section.map((one) => `{% for x in trigger.items %}${one}{% endfor %}`),
  section.map((one) => `<mj-wrapper>\n${one}\n</mj-wrapper>`),
  fc.constantFrom('{% snippet "a" %}', "<!-- b -->", "<mj-hero><mj-text>Hero</mj-text></mj-hero>"),
);
const emails = fc
  .tuple(listOf(top), gap)
  .map(([items, last]) => `<mjml><mj-body>${joined(items, last)}</mj-body></mjml>`);

test("a change of one block changes nothing outside of its slice", () => {
  fc.assert(
    fc.property(emails, fc.nat(), (source, pick) => {
      const read = email(source);
      const all = [...allBlocks(read.blocks)].filter(({ element }) => element);
      if (all.length === 0) return;
      const block = all[pick % all.length] as Block;
      const element = block.element as NonNullable<Block["element"]>;
      for (const changes of [
        withAttribute(source, element, "padding", "1px"),
        withAttribute(source, element, "color", ""),
        withAttribute(source, element, "alt", 'a "b" & {{ c | default: "d" }}'),
        ...(/text|heading|button/.test(block.kind) ? [withInner(source, wordsOf(element), "new")] : []),
      ]) {
        const after = changed(source, changes);
        expect(after.startsWith(source.slice(0, block.from))).toBe(true);
        expect(after.endsWith(source.slice(block.to))).toBe(true);
        expect(outline(email(after).blocks).length).toBeGreaterThan(0);
      }
      const alt = changed(source, withAttribute(source, element, "alt", 'a "b" & {{ c | default: "d" }}'));
      const written = blockFrom(email(alt), block.from)?.element;
      expect(decoded(attributeOf(written as never, "alt")?.raw ?? "")).toBe('a "b" & {{ c | default: "d" }}');
    }),
  );
});

const slices = ({ source, blocks }: Email) =>
  [...allBlocks(blocks)].filter(({ holds }) => !holds).map(({ from, to }) => source.slice(from, to));

test("a block that is moved, doubled, wrapped or removed takes its bytes along, and all others keep theirs", () => {
  fc.assert(
    fc.property(emails, fc.nat(), (source, pick) => {
      const read = email(source);
      const all = [...allBlocks(read.blocks)];
      if (all.length === 0) return;
      const block = all[pick % all.length] as Block;
      const own = source.slice(block.from, block.to);
      for (const by of [-1, 1] as const) {
        const result = moved(read, block, by);
        if (!result) continue;
        const after = email(result.source);
        expect(slices(after).toSorted()).toEqual(slices(read).toSorted());
        const there = blockFrom(after, result.at);
        expect(result.source.slice(there?.from, there?.to)).toBe(own);
        const back = moved(after, there as Block, -by as 1);
        expect(back && slices(email(back.source)).toSorted()).toEqual(slices(read).toSorted());
      }
      const twice = repeated(read, block);
      expect(twice.source.slice(twice.at, twice.at + own.length)).toBe(own);
      expect(slices(email(removed(read, block).source)).length).toBe(
        slices(read).length - slices({ ...read, blocks: [block] }).length,
      );
      const around = wrapped(read, block, "{% for y in trigger.y %}", "{% endfor %}");
      const outside = blockFrom(email(around.source), around.at) as Block;
      expect(outside.kind).toBe("repeat");
      expect(slices(email(unwrapped(email(around.source), outside).source))).toEqual(slices(read));
    }),
  );
});

test("a moved block goes to its neighbour's place, into the next container, and out of what is repeated", () => {
  const source = document(
    "    <mj-section>\n      <mj-column>\n        <mj-text>1</mj-text>\n        <mj-text>2</mj-text>\n      </mj-column>\n      <mj-column />\n    </mj-section>",
  );
  const read = email(source);
  const two = [...allBlocks(read.blocks)].find(({ path }) => path === "0.0.1") as Block;
  expect(moved(read, two, -1)?.source).toBe(source.replace("1<", "x<").replace("2<", "1<").replace("x<", "2<"));
  expect(moved(read, two, 1)?.source).toBe(
    source
      .replace("\n        <mj-text>2</mj-text>", "")
      .replace("<mj-column />", "<mj-column>\n        <mj-text>2</mj-text>\n      </mj-column>"),
  );
});

test("a new block is written where there is a place for it, indented as its neighbours", () => {
  const text = "<mj-text>\n  new\n</mj-text>";
  const source = document(
    "    <mj-section>\n      <mj-column>\n        <mj-text>1</mj-text>\n      </mj-column>\n    </mj-section>",
  );
  const read = email(source);
  const result = added(read, read.blocks[0], "content", text);
  expect(result.source).toBe(
    source.replace("1</mj-text>", "1</mj-text>\n        <mj-text>\n          new\n        </mj-text>"),
  );
  expect(blockFrom(email(result.source), result.at)?.path).toBe("0.0.1");
  const empty = email("<mjml><mj-body></mj-body></mjml>");
  expect(outline(email(added(empty, undefined, "content", text).source).blocks)).toBe("section(column(text))");
  const bare = email(document("    <mj-section></mj-section>"));
  expect(outline(email(added(bare, bare.blocks[0], "content", text).source).blocks)).toBe("section(column(text))");
});

test.each([
  'Hi {{ person.first_name | default: "you" }} &amp; <strong>all</strong>',
  '<a href="{{ trigger.url | default: "#" }}" style="color: red">Open</a> <em>now</em><br />then',
  '<p>1</p>\n<p style="margin: 0">2 <u>3</u></p>',
  "<ul><li>a <b>b</b></li><li>c</li></ul>",
  "{% if trigger.n > 3 and trigger.m < 2 %}many{% endif %}",
  "a &lt; b &nbsp;c",
])("rich text keeps %s", (inside) => {
  const source = `<mj-text>\n  ${inside}\n</mj-text>`;
  const element = email(source).blocks[0]?.element as never;
  expect(htmlOf(richOf(source, element) as never)).toBe(inside);
});

test.each([
  "<div>a</div>",
  "<!-- a -->",
  "<table><tr><td>a</td></tr></table>",
  "<ul>{% for a in b %}<li>c</li>{% endfor %}</ul>",
])("rich text leaves %s to code", (inside) => {
  const source = `<mj-text>${inside}</mj-text>`;
  expect(richOf(source, email(source).blocks[0]?.element as never)).toBeUndefined();
});

test("entities are read and written, and Liquid is no HTML", () => {
  expect(decoded("a &amp; &#38; &#x26; &nope; {{ b | default: '&amp;' }}")).toBe(
    "a & & & &nope; {{ b | default: '&amp;' }}",
  );
  const noLiquid = fc.string().map((text) => text.replaceAll("{", ""));
  fc.assert(
    fc.property(noLiquid, (text) => {
      expect(decoded(encoded(text))).toBe(text);
    }),
  );
});
