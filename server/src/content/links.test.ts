import { expect, test } from "vitest";
import { renderParts } from "./index.ts";

const links = { unsubscribe_url: "https://tidings.test/unsubscribe/x?a=1&b=2" };
const scope = {
  person: { name: "Ada" },
  trigger: { items: [1, 2] },
  links,
  turn: { workspaceId: "w", kind: "bulk" } as const,
};
const body = (source: string) => renderParts([{ name: "body", source, html: true }], scope);

test("the addresses of a message stand at the root, escaped for HTML", async () => {
  expect(await body('<a href="{{unsubscribe_url}}">{{person.name}}</a>')).toEqual([
    '<a href="https://tidings.test/unsubscribe/x?a=1&amp;b=2">Ada</a>',
  ]);
});

test("content that is rendered in a thread has them, too", async () => {
  expect(await body("{% for item in trigger.items %}{{item}}{% endfor %} {{unsubscribe_url | size}}")).toEqual([
    `12 ${links.unsubscribe_url.length}`,
  ]);
});

test("an address named person or trigger does not hide the data", async () => {
  const [text] = await renderParts([{ name: "body", source: "{{person.name}}", html: true }], {
    ...scope,
    links: { person: "x" } as never,
  });
  expect(text).toBe("Ada");
});
