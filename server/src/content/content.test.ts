import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Problem } from "../platform/http/index.ts";
import { checkParts, fieldsOf, isDynamic, missingFields, type Part, renderParts, textOf } from "./index.ts";

const TURN = { workspaceId: "w", kind: "bulk" } as const;
const html = (source: string, name = "body"): Part => ({ name, source, html: true });
const text = (source: string, name = "subject"): Part => ({ name, source, html: false });
const scope = (trigger: Record<string, unknown> = {}, person: Record<string, unknown> = {}) => ({
  trigger,
  person,
  turn: TURN,
});
const one = async (part: Part, data = scope()) => (await renderParts([part], data))[0];

async function problem(work: () => unknown): Promise<Problem> {
  try {
    await work();
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  throw new Error("no problem was thrown");
}

/** Time that this thread has worked, in ms. Not the clock's: on a busy machine that also counts the work of others. */
function spent(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** The longest work of this thread for which the event loop did not turn while `work` ran. */
async function longestBlock(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = spent();
  const timer = setInterval(() => {
    const now = spent();
    longest = Math.max(longest, now - last);
    last = now;
  }, 1);
  await work().catch(() => {});
  await new Promise((resolve) => setTimeout(resolve, 5));
  clearInterval(timer);
  return longest;
}

describe("rendering", () => {
  test("person attributes and trigger fields are filled in, a missing one is empty", async () => {
    const data = scope({ order: { id: 7 } }, { first_name: "Ada" });
    expect(await one(text("Hi {{person.first_name}}{{person.none}}, order {{trigger.order.id}}"), data)).toBe(
      "Hi Ada, order 7",
    );
  });

  test("HTML parts escape values unless the author says raw; plain parts show them as they are", async () => {
    const data = scope({ x: `<b>"&'` });
    expect(await one(html("{{trigger.x}}"), data)).toBe("&lt;b&gt;&#34;&amp;&#39;");
    expect(await one(html("{{trigger.x | raw}}"), data)).toBe(`<b>"&'`);
    expect(await one(html("{% echo trigger.x %}"), data)).toBe("&lt;b&gt;&#34;&amp;&#39;");
    expect(await one(html("{% for x in trigger.l %}{% cycle x, 'b' %}{% endfor %}"), scope({ l: ["<i>"] }))).toBe(
      "&lt;i&gt;",
    );
    expect(await one(text("{{trigger.x}}"), data)).toBe(`<b>"&'`);
  });

  test("escape and newline_to_br do not escape twice", async () => {
    const data = scope({ x: "a & b\n<c>" });
    expect(await one(html("{{trigger.x | escape}}"), data)).toBe("a &amp; b\n&lt;c&gt;");
    expect(await one(html("{{trigger.x | newline_to_br}}"), data)).toBe("a &amp; b<br />\n&lt;c&gt;");
    expect(await one(html("{{trigger.x | escape | newline_to_br}}"), data)).toBe("a &amp; b<br />\n&lt;c&gt;");
  });

  test("no HTML of the data survives in an HTML part, whatever linear filters it passes", async () => {
    const filter = fc.constantFrom(
      "upcase",
      "downcase",
      "strip",
      "escape",
      "escape_once",
      "newline_to_br",
      "append: '<'",
      "json",
    );
    await fc.assert(
      fc.asyncProperty(fc.string(), fc.array(filter, { maxLength: 3 }), async (x, filters) => {
        const out = await one(html(`${["{{ trigger.x", ...filters].join(" | ")} }}`), scope({ x }));
        expect(String(out).replaceAll("<br />", "")).not.toMatch(/[<>"]/);
      }),
      { numRuns: 200 },
    );
  });

  test("data is never parsed as a template", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), async (x) => {
        expect(await one(text("{{trigger.x}}"), scope({ x: `{{person.secret}}${x}` }, { secret: "S3" }))).toBe(
          `{{person.secret}}${x}`,
        );
      }),
      { numRuns: 100 },
    );
  });

  test("text without Liquid is sent as it is", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string().filter((x) => !isDynamic(x)),
        async (x) => {
          expect(await one(html(x))).toBe(x);
        },
      ),
    );
  });

  test("loops work, in a thread", async () => {
    const data = scope({ items: [{ name: "<a>" }, { name: "b" }] });
    expect(await one(html("{% for i in trigger.items %}{{i.name}};{% endfor %}"), data)).toBe("&lt;a&gt;;b;");
  });

  test("several parts come back in order, simple and heavy ones mixed", async () => {
    const parts = [
      text("{{trigger.a}}", "subject"),
      html("{% for i in (1..3) %}{{i}}{% endfor %}", "body"),
      text("same", "x"),
    ];
    expect(await renderParts(parts, scope({ a: 1 }))).toEqual(["1", "123", "same"]);
  });
});

describe("what a template may not do", () => {
  test.each(["include '.env'", "render 'a'", "layout 'a'", "block a", "increment a", "nonsense"])(
    "the tag %j is refused",
    async (tag) => {
      const found = await problem(() => checkParts([html(`x\n  {% ${tag} %}`)]));
      expect(found.code).toBe("template_error");
      expect(found.options.extra).toEqual({ part: "body", line: 2, column: 3 });
    },
  );

  test.each(["where_exp: 'x', 'x'", "find_exp: 'x', 'x'", "inspect", "nonsense", "constructor", "toString"])(
    "the filter %j is refused",
    async (filter) => {
      expect((await problem(() => checkParts([html(`{{ a | ${filter} }}`)]))).code).toBe("template_error");
    },
  );

  test.each(["constructor", "__proto__", "toString", "constructor.name", "hasOwnProperty"])(
    "the prototype's %s is out of reach",
    async (path) => {
      const data = scope({ o: { a: 1 }, l: [1], s: "x" });
      for (const root of ["trigger", "trigger.o", "trigger.l", "trigger.s", "person"]) {
        expect(await one(text(`[{{${root}.${path}}}{{${root}["${path}"]}}]`), data)).toBe("[]");
        expect(await one(text(`{% for i in (1..1) %}[{{${root}.${path}}}]{% endfor %}`), data)).toBe("[]");
      }
    },
  );

  test("an error has line and column and the part's name", async () => {
    const found = await problem(() => checkParts([text("fine"), html("one\ntwo {{ a | }} {% if %}", "preheader")]));
    expect(found.message).toMatch(/^The Liquid of preheader \(line 2, column \d+\): /);
    expect(found.options.extra).toMatchObject({ part: "preheader", line: 2 });
    expect(found.status).toBe(422);
  });

  test.each([
    ["an endless loop", "{% for i in (1..1000000000) %}{% for j in (1..1000000000) %}x{% endfor %}{% endfor %}"],
    ["a long loop that writes nothing", "{% for i in (1..100000) %}{% for j in (1..100000) %}{% endfor %}{% endfor %}"],
    ["10 MB of output", `{% for i in (1..10000) %}${"x".repeat(1_000)}{% endfor %}`],
    [
      "text that doubles itself",
      `{% capture a %}0123456789{% endcapture %}${"{% capture a %}{{a}}{{a}}{% endcapture %}".repeat(40)}{{a}}`,
    ],
    ["appends that double", `{% assign a = '0123456789' %}${"{% assign a = a | append: a %}".repeat(40)}{{a}}`],
    [
      "a replacement that grows",
      "{% assign a = 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' %}" +
        "{% assign a = a | replace: 'a', a %}".repeat(9) +
        "{{a}}",
    ],
    ["a date padded without end", "{{ 'now' | date: '%99999999999d' }}"],
    [
      "a huge sort",
      "{% assign a = (1..3000000) | sort_natural | join: ',' | split: ',' | sort_natural %}{{ a | size }}",
    ],
    ["deep nesting", "{% if a %}".repeat(4_000) + "{% endif %}".repeat(4_000)],
    ["deep brackets", `{{ ${"a[".repeat(50_000)}1${"]".repeat(50_000)} }}`],
  ])("%s is a template_error, soon, and does not hold the event loop", async (_, source) => {
    const blocked = await longestBlock(async () => {
      const found = await problem(() => renderParts([html(source)], scope()));
      expect(found.code).toBe("template_error");
    });
    expect((await problem(() => renderParts([html(source)], scope()))).code).toBe("template_error");
    expect(blocked).toBeLessThan(250);
  });

  test("a slow search is killed with its thread, and the next render works", async () => {
    const a = "a".repeat(450_000);
    const data = scope({ a, b: `${"a".repeat(220_000)}b${"a".repeat(220_000)}` });
    const blocked = await longestBlock(async () => {
      await one(html("{% for i in (1..50) %}{% if trigger.a contains trigger.b %}x{% endif %}{% endfor %}"), data);
    });
    expect(blocked).toBeLessThan(250);
    expect(await one(html("{% for i in (1..2) %}{{i}}{% endfor %}"))).toBe("12");
  });

  test("a template longer than 512 KiB or with more than 5,000 outputs is refused", async () => {
    for (const source of [`{{a}}${"x".repeat(512 * 1024)}`, "{{a}}".repeat(5_001)])
      expect((await problem(() => checkParts([html(source)]))).code).toBe("template_error");
  });

  test("any text is either rendered or a template_error, never another error", async () => {
    const piece = fc.constantFrom(
      "{{",
      "}}",
      "{%",
      "%}",
      " if ",
      " for ",
      "endif",
      "endfor",
      "trigger.a",
      "person",
      "|",
      "date",
      ":",
      "'",
      "-",
      "raw",
      "(1..3)",
      "[",
      "]",
      " in ",
      "\n",
      "case",
      "when",
      "assign x = ",
      "size",
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
        await renderParts([html(pieces.join(""))], scope({ a: { b: [1, "x"] } })).catch((error) => {
          expect(error).toBeInstanceOf(Problem);
          expect(error.code).toBe("template_error");
        });
      }),
      { numRuns: 500 },
    );
  });
});

describe("the fields that content needs", () => {
  test("a trigger field is required unless it has a default or is only tested", () => {
    const parts = [
      text("{{trigger.a}} {{trigger.b | default: 'x'}}"),
      html(
        "{% if trigger.c %}{{trigger.c.d}}{% endif %}{% for i in trigger.items %}{{i.x}}{% endfor %}{{person.first_name}}{{ trigger.list.size }}{{ trigger.l[0].name }}",
      ),
    ];
    const fields = fieldsOf(parts);
    expect(fields.person).toEqual([{ name: "first_name", required: true }]);
    expect(Object.fromEntries(fields.trigger.map((f) => [f.name, f.required]))).toEqual({
      a: true,
      b: false,
      c: false,
      "c.d": false,
      items: true,
      list: true,
      l: true,
    });
  });

  test("missing fields are listed; null is missing, false and 0 are not", () => {
    const parts = [text("{{trigger.a}}{{trigger.b.c}}{{trigger.d}}{{trigger.e}}{{trigger['f g']}}")];
    expect(missingFields(parts, { a: null, b: {}, d: 0, e: false })).toEqual(["a", "b.c", "f g"]);
    expect(missingFields(parts, { a: "", b: { c: 1 }, d: 0, e: false, "f g": 1 })).toEqual([]);
    expect(missingFields([text("{{trigger.constructor}}")], {})).toEqual(["constructor"]);
  });

  test("a field used with and without a default is required", () => {
    expect(fieldsOf([text("{{trigger.a | default: 1}}{{trigger.a}}")]).trigger).toEqual([
      { name: "a", required: true },
    ]);
  });
});

describe("the text of an HTML body", () => {
  test("links are kept, images and the preheader are not", async () => {
    const body =
      '<div data-preheader>hidden</div><h1>Hi</h1><p>See <a href="https://x.test/a">this</a><img src="x"></p>';
    expect(await textOf(body, TURN)).toBe("HI\n\nSee this [https://x.test/a]");
  });

  test.each([
    ["tables", "<table><tr><td><p>Hello <b>you</b> <a href='https://x.test'>x</a></p></td></tr></table>".repeat(4_000)],
    ["deep", "<div>".repeat(80_000)],
    ["brackets", "<".repeat(500_000)],
  ])("%s of half a megabyte do not hold the event loop", async (_, body) => {
    expect(await longestBlock(() => textOf(body, TURN))).toBeLessThan(250);
  });
});
