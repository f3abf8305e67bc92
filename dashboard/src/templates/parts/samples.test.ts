import { expect, test } from "vitest";
import { aroundSnippet, sampleFor } from "./samples.ts";

test.each([
  ["html", "<main>{{ content }}</main>", "<p>x</p>"],
  [
    "mjml",
    "<mjml><mj-body>{{content}}</mj-body></mjml>",
    "<mj-section><mj-column><mj-text>x</mj-text></mj-column></mj-section>",
  ],
  [
    "mjml",
    "<mj-section></mj-section><mj-section>{{ content }}</mj-section>",
    "<mj-column><mj-text>x</mj-text></mj-column>",
  ],
  ["mjml", "<mj-section><mj-column>{{ content }}</mj-column></mj-section>", "<mj-text>x</mj-text>"],
  ["mjml", "<mj-section><mj-column><mj-text><b>{{ content }}</b></mj-text></mj-column></mj-section>", "x"],
] as const)("what stands in the %s layout %s is %s", (format, body, sample) => {
  expect(sampleFor({ format, body }, "x")).toBe(sample);
});

test.each([
  ["<p>Acme</p>", '{% snippet "foot" %}'],
  ["<mj-section></mj-section>", '<mjml><mj-body>{% snippet "foot" %}</mj-body></mjml>'],
  [
    "<!-- foot -->\n<mj-text>Acme</mj-text>",
    '<mjml><mj-body><mj-section><mj-column>{% snippet "foot" %}</mj-column></mj-section></mj-body></mjml>',
  ],
])("the snippet %j is shown in %s", (body, around) => {
  expect(aroundSnippet({ name: "foot", body })).toBe(around);
});
