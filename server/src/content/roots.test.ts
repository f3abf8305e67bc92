import { describe, expect, test } from "vitest";
import { checkParts, isOfCampaigns, renderParts, stepsNamedIn } from "./index.ts";

const part = (source: string, html = true) => [{ name: "body", source, html }];
const scope = {
  person: { name: "Ada", home: { city: "Rom" }, list: [{ n: 1 }, { n: 2 }] },
  trigger: { n: 3 },
  turn: { workspaceId: "w", kind: "bulk" } as const,
};
const shown = async (source: string) => (await renderParts(part(source, false), scope))[0];
const refusal = (source: string) => {
  try {
    checkParts(part(source));
  } catch (error) {
    return error as { message: string; options: Record<string, unknown> };
  }
  return undefined;
};

describe("a name that nothing has", () => {
  test.each([
    ["{{customer.first_name}}", "person.first_name", 1, 3],
    ["Hi\n {{ user.name | upcase }}", "person.name", 2, 5],
    ["{{ first_name }}", "person.first_name", 1, 4],
    ["{{ order.id }}", "trigger.order.id", 1, 4],
    ["{{ event.total }}", "trigger.total", 1, 4],
    ["{{ triger.total }}", "trigger.total", 1, 4],
    ["{{ Person.name }}", "person.name", 1, 4],
    ["{% if customer.vip %}x{% endif %}", "person.vip", 1, 7],
    ["{% for a in items %}{{ a }}{% endfor %}", "trigger.items", 1, 13],
    ["{{ person.name | append: customer.x }}", "person.x", 1, 26],
    ["{{ person[data.key] }}", "trigger.key", 1, 11],
    ["{% liquid\n assign a = 1\n echo user.name\n%}", "person.name", 3, 7],
    ["{{ unsubscribe_link }}", "trigger.unsubscribe_link", 1, 4],
    ["{{ unsubscribe_ur }}", "unsubscribe_url", 1, 4],
  ])("%j is refused, with its place and %s", (source, meant, line, column) => {
    const refused = refusal(source);
    expect(refused?.message).toContain(`${meant} may be meant`);
    expect(refused).toMatchObject({
      code: "template_error",
      options: { errors: [{ pointer: "/body" }], extra: { line, column } },
    });
  });

  test.each([
    "{{person.first_name}} {{trigger.x}} {{unsubscribe_url}} {{preferences_url}}",
    "{% assign a = trigger.x %}{{ a.b }}",
    "{{ later }}{% capture later %}x{% endcapture %}",
    "{% for a in trigger.x offset: continue %}{{ a.b }} {{ forloop.index }}{% endfor %}",
    "{% tablerow a in trigger.x %}{{ a }} {{ tablerowloop.col }}{% endtablerow %}",
    "{% for i in (1..trigger.n) %}{% cycle 'a', 'b' %}{{ i }}{% endfor %}",
    "{{ nil }}{{ blank }}{{ empty }}{{ true }}{{ 'customer.name' }}{{ 1 }}",
    "{% raw %}{{ customer.name }}{% endraw %}{% comment %}{{ customer.name }}{% endcomment %}",
    "{% case trigger.x %}{% when 'a', person.b %}x{% endcase %}",
  ])("%j is taken", (source) => {
    expect(refusal(source)).toBeUndefined();
  });
});

test("what earlier steps left is there for campaigns alone", async () => {
  const source = "{{steps.pay.event.total}} {% for one in batch.items %}{{ one.n }}{% endfor %}{{batch.count}}";
  expect(refusal(source)?.message).toContain("names steps.pay.event.total, which is nothing here");
  expect(() => checkParts(part(source), isOfCampaigns)).not.toThrow();
  expect(() => checkParts(part(`${source} {{stps.x}}`), isOfCampaigns)).toThrow("names stps.x");
  const steps = { pay: { event: { total: 7 } } };
  const batch = { count: 2, items: [{ n: 1 }, { n: 2 }] };
  expect(await renderParts(part(source, false), { ...scope, steps, batch })).toEqual(["7 122"]);
  expect(await renderParts(part("{{steps.pay.event.total}}", false), { ...scope, steps })).toEqual(["7"]);
});

test("the steps that content names are found, each once, unless the name is a variable or known only later", () => {
  const named = (source: string) => stepsNamedIn({ a: [{ "b/c": source }] }, "data");
  const source =
    "{{steps.pay.event.total}}{% if steps['call'].response %}{{steps.pay.x | plus: steps.more.n}}{% endif %}";
  expect(named(source)).toEqual([{ pointer: "/data/a/0/b~1c", ids: ["pay", "call", "more"] }]);
  for (const none of [
    "steps.pay",
    "{{steps[trigger.id].x}}",
    "{{steps.size}}",
    "{{ steps.pay",
    "{% assign steps = 1 %}{{steps.x}}",
  ])
    expect(named(none), none).toEqual([]);
});

describe("values that only the language knows", () => {
  test.each(["nil", "null", "blank", "empty", "forloop"])("{{ %s }} shows nothing", async (name) => {
    expect(await shown(`[{{ ${name} }}]`)).toBe("[]");
    expect(await shown(`{% for a in person.list limit: 1 %}[{{ ${name} }}]{% endfor %}`)).toBe("[]");
  });
});

describe("an object of the data", () => {
  test.each([
    ["{{ person.list | join: ', ' }}", "[object Object], [object Object]"],
    ["{{ person.list | sum }}", "0"],
    ["{{ person.list | sum: 'n' }}", "3"],
    ["{{ 'x' | append: person.home }}", "x[object Object]"],
    ["{{ person.home | prepend: 'x' }}", "x[object Object]"],
    ["{{ person.home | plus: 1 }}", "1"],
    ["{{ person.home.toString }}{{ person.home['toString'] }}", ""],
    ["{{ person.home }}", '{"city":"Rom"}'],
    ["{{ person.list | group_by: 'n' | first }}", '{"name":1,"items":[{"n":1}]}'],
  ])("%s shows %j", async (source, text) => {
    expect(await shown(source)).toBe(text);
  });
});
