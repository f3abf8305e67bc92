import { describe, expect, test } from "vitest";
import { lineAt } from "./advice.ts";
import { adviceFor, CLIPPED_BYTES } from "./checks.ts";
import { contrastOf, rgbOf } from "./contrast.ts";

const written = { subject: "Your order", preheader: "It is on its way", body: "<p>Hello</p>", plaintext: "" };
const rendered = { subject: "Your order", body: '<p>Hello</p><a href="#">Unsubscribe</a>', plaintext: "Hello" };
const codes = (more: Partial<typeof written>, of: Partial<typeof rendered> = {}) =>
  adviceFor({ ...written, ...more }, { ...rendered, ...of }).map(({ code, line }) => (line ? `${code} ${line}` : code));

describe("advice", () => {
  test("an email without faults has none", () => {
    expect(codes({})).toEqual([]);
  });

  test.each([
    ['<p>\n<a href="">x</a>', ["link_empty 2"]],
    ['<a href="#">x</a>', ["no_unsubscribe", "link_empty 1"]],
    ['\n\n<a href="www.acme.test">x</a>', ["link_scheme 3"]],
    ['<a href="http://acme.test">x</a>', ["link_http 1"]],
    ['<mj-button href="https://localhost:3000/x">x</mj-button>', ["link_local 1"]],
    ['<a href="{{ trigger.link }}">x</a>', ["link_default 1"]],
    ['<a href="{{ trigger.link | default: "https://acme.test" }}">x</a>', []],
    ['<a href="https://acme.test/{{ trigger.order }}">x</a>', []],
    ['<a href="{{ unsubscribe_url }}">x</a> <a href="mailto:a@acme.test">y</a> <a href="#top">z</a>', []],
    ['<!-- <a href=""> -->', []],
    ['<img src="a.png">\n<img src="b.png" alt=""><mj-image src="c.png" />', ["no_alt 1", "no_alt 2"]],
    ["Hi {{ person.first_name }},\n{{ person.first_name }} {{ person.plan | default: 'x' }}", ["no_default 1"]],
    ["{% if person.plan == 'pro' %}x{% endif %}{{ trigger.total }}", []],
  ])("of the body %j is %j", (body, found) => {
    expect(codes({ body })).toEqual(found);
  });

  test("of the other texts names them", () => {
    const subject = "Hi {{ person.first_name }}";
    expect(adviceFor({ ...written, subject, preheader: "" }, rendered)).toEqual([
      { code: "no_preheader", part: "preheader" },
      { code: "no_default", part: "subject", line: 1, values: { name: "person.first_name" } },
    ]);
    expect(codes({}, { subject: "x".repeat(71) })).toEqual(["subject_long"]);
    expect(codes({}, { plaintext: "\n" })).toEqual(["no_text"]);
  });

  test("of the weight comes before Gmail cuts the email, and counts bytes", () => {
    const link = '<a href="#">x</a>';
    expect(codes({}, { body: link + "ä".repeat(CLIPPED_BYTES * 0.45) })).toEqual(["heavy"]);
    expect(codes({}, { body: link + "ä".repeat(CLIPPED_BYTES / 2) })).toEqual(["clipped"]);
  });

  test("an unsubscribe link of the layout counts, an empty link of the body does not", () => {
    expect(codes({}, { body: "<p>Hello</p>" })).toEqual(["no_unsubscribe"]);
    expect(codes({ body: '<a href="#">x</a>' }, { body: '<a href="#">x</a>' })).toContain("no_unsubscribe");
  });
});

describe("contrast", () => {
  test.each([
    ['<p style="color: #999">x</p>', ["contrast 1"]],
    ['<p style="color: #595959">x</p>', []],
    ['<div style="background: #000">\n<b style="color:#333">x</b></div>', ["contrast 2"]],
    ['<div style="background: #000"></div><b style="color: black">x</b>', []],
    ['<td bgcolor="#0f6b5f"><font color="white">x</font></td>', []],
    ['<mj-section background-color="#111"><mj-text color="#222">x</mj-text></mj-section>', ["contrast 1"]],
    ['<mj-section background-url="a.png"><mj-text color="#fff">x</mj-text></mj-section>', []],
    ['<mj-button background-color="#ffe" color="#ff0">x</mj-button>', ["contrast 1"]],
    ['<mj-button background-color="#0f6b5f">x</mj-button><mj-button>x</mj-button>', []],
    ['<mj-button background-color="#ffe">x</mj-button>', ["contrast 1"]],
    ['<p style="color: {{ person.colour | default: "red" }}">x</p>', []],
    ['<img src="x" alt=""><br><p style="color: rgb(255, 255, 255)">x</p>', ["contrast 1"]],
  ])("of %j is %j", (body, found) => {
    expect(codes({ body }).filter((code) => code.startsWith("contrast"))).toEqual(found);
  });

  test("is 21 between black and white, and 1 between the same", () => {
    expect(contrastOf([0, 0, 0], [255, 255, 255])).toBeCloseTo(21);
    expect(contrastOf([9, 9, 9], [9, 9, 9])).toBe(1);
    expect(rgbOf("#abc")).toEqual([170, 187, 204]);
    expect(rgbOf("rgb(300, 0, 0)")).toBeUndefined();
  });
});

test("lines are counted from 1", () => {
  expect([0, 1, 2, 3].map((at) => lineAt("a\nb\n", at))).toEqual([1, 1, 2, 2]);
});
