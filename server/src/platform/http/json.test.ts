import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseJson } from "./json.ts";
import { Problem } from "./problem.ts";

const parse = (text: string) => parseJson(Buffer.from(text));
const refusal = (text: string | Buffer): string => {
  try {
    parseJson(Buffer.from(text as string));
  } catch (error) {
    expect(error).toBeInstanceOf(Problem);
    return (error as Problem).message;
  }
  return "taken";
};

/** What our parser takes: no -0 (JSON drops its sign), no forbidden keys, no NUL. */
const text = fc.string({ unit: "grapheme", maxLength: 20 }).filter((s) => !s.includes("\0") && s.isWellFormed());
const key = fc
  .oneof(text, fc.string({ unit: fc.constantFrom("\\", "\n", '"', "a", "u", "0", "n"), maxLength: 4 }))
  .filter((s) => s !== "__proto__" && s !== "constructor");
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.integer(),
    fc
      .double({ noNaN: true, noDefaultInfinity: true, min: -1e300, max: 1e300 })
      .filter((n) => n === 0 || Math.abs(n) > 1e-300)
      .map((n) => n + 0),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("value"), { maxLength: 5 }),
    fc.dictionary(key, tie("value"), { maxKeys: 5 }),
  ),
}));

describe("JSON at the door", () => {
  test("whatever JSON.stringify writes within the limits comes back as it was", () => {
    fc.assert(
      fc.property(value, fc.constantFrom(undefined, 2), (data, indent) => {
        expect(parse(JSON.stringify(data, null, indent))).toEqual(data);
      }),
      { numRuns: 2_000 },
    );
  });

  test("a key keeps its name whatever was sent before", () => {
    for (const [written, key] of [
      ['"a\\n"', "a\n"],
      ['"a\\\\"', "a\\"],
      ['"a\\n"', "a\n"],
      ['"a\\\\u"', "a\\u"],
      ['"a\\u00f6\\u00fc"', "aöü"],
    ] as const)
      expect(parse(`{"b":1,${written}:2}`)).toEqual({ b: 1, [key]: 2 });
  });

  test("random bytes give a value or a problem, never another error", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        refusal(Buffer.from(bytes) as never);
      }),
    );
  });

  test.each([
    ["{", "not valid JSON"],
    ["", "not valid JSON"],
    ['{"a":1,"a":2}', "same key twice"],
    ['{"a":{"b":1,"b":1}}', "same key twice"],
    ['{"a":1,"\\u0061":2}', "same key twice"],
    ['{"__proto__":{"admin":true}}', "__proto__"],
    ['{"a":[{"constructor":1}]}', "constructor"],
    ['{"\\u005f_proto__":{"admin":true}}', "__proto__"],
    ['{"a":"\\u0000"}', "NUL"],
    ['{"\\u0000":1}', "NUL"],
    ['{"a":"\\ud800"}', "surrogate"],
    ['{"a":"\\udc00x"}', "surrogate"],
    ['{"a":1e999}', "too large"],
    ['{"a":-1e999}', "too large"],
    ['{"a":1e-999}', "too small"],
    [`${"[".repeat(33)}${"]".repeat(33)}`, "deeper than 32"],
    [`${"[".repeat(10_000)}${"]".repeat(10_000)}`, "deeper than 32"],
    [`{"a":${'{"a":'.repeat(10_000)}1${"}".repeat(10_001)}`, "deeper than 32"],
    [JSON.stringify(Object.fromEntries(Array.from({ length: 1_001 }, (_, i) => [`k${i}`, i]))), "more than 1000 keys"],
  ])("%.60s is refused with the reason", (body, reason) => {
    expect(refusal(body)).toContain(reason);
  });

  test.each([
    ['{"a":[1,{"b/c~d":"\\u0000"}]}', "/a/1/b~1c~0d"],
    ["[[1e999]]", "/0/0"],
    ['{"":{"x":{"constructor":1}}}', "//x"],
    ['"\\ud800"', "/"],
  ])("%s is refused with a pointer to the place", (body, pointer) => {
    expect(() => parse(body)).toThrow(
      expect.objectContaining({ options: { errors: [expect.objectContaining({ pointer })] } }),
    );
  });

  test("invalid UTF-8 is refused and not altered", () => {
    expect(refusal(Buffer.from([0x22, 0xff, 0x22]) as never)).toContain("UTF-8");
  });

  test.each([
    '"a:b,{[c"',
    '{"a:b":"c:{\\"d\\":1}"}',
    `${"[".repeat(32)}${"]".repeat(32)}`,
    '"\\\\"',
    '{"\\\\":"\\\\\\""}',
    '"😀"',
    '"\\ud83d\\ude00"',
    "1e-300",
    "[1e-5]",
  ])("%s is taken", (body) => {
    expect(parse(body)).toEqual(JSON.parse(body));
  });
});
