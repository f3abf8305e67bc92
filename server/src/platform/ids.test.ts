import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeId, derivedId, encodeId, newId } from "./ids.ts";

describe("ids", () => {
  test("a UUID survives the way to the wire and back", () => {
    fc.assert(
      fc.property(fc.uuid(), (uuid) => {
        expect(decodeId("dlv", encodeId("dlv", uuid))).toBe(uuid);
      }),
    );
  });

  test("a prefix that no slice declares fails the types", () => {
    // @ts-expect-error no slice has such ids
    expect(encodeId("nobody", "00000000-0000-0000-0000-000000000000")).toMatch(/^nobody_0{26}$/);
  });

  // The examples of the TypeID specification (valid.json).
  test.each([
    ["00000000-0000-0000-0000-000000000000", "00000000000000000000000000"],
    ["00000000-0000-0000-0000-000000000001", "00000000000000000000000001"],
    ["00000000-0000-0000-0000-00000000000a", "0000000000000000000000000a"],
    ["00000000-0000-0000-0000-000000000020", "00000000000000000000000010"],
    ["ffffffff-ffff-ffff-ffff-ffffffffffff", "7zzzzzzzzzzzzzzzzzzzzzzzzz"],
    ["01893726-efee-7f02-8fbf-9f2b7bc2f910", "01h4vjdvzefw18zfwz5dxw5y8g"],
  ])("%s is written as the TypeID specification does", (uuid, suffix) => {
    expect(encodeId("msg", uuid)).toBe(`msg_${suffix}`);
    expect(decodeId("msg", `msg_${suffix}`)).toBe(uuid);
  });

  test.each([
    "",
    "dlv_",
    "msg_00000000000000000000000000",
    "dlv_0000000000000000000000000",
    "dlv_8zzzzzzzzzzzzzzzzzzzzzzzzz",
    "dlv_0000000000000000000000000u",
    "dlv_0000000000000000000000000é",
    "DLV_00000000000000000000000000",
  ])("%j is no delivery id", (given) => {
    expect(decodeId("dlv", given)).toBeUndefined();
  });

  test("fresh ids are in order", () => {
    const made = Array.from({ length: 5_000 }, newId);
    expect([...made].sort()).toEqual(made);
  });

  test("a derived id is the same for the same cause and different for any other, however the parts are divided", () => {
    expect(derivedId("a", "b")).toBe(derivedId("a", "b"));
    expect(derivedId("ab", "c")).not.toBe(derivedId("a", "bc"));
    expect(derivedId("a", "b")).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    fc.assert(
      fc.property(fc.array(fc.string()), fc.array(fc.string()), (a, b) => {
        expect(derivedId(...a) === derivedId(...b)).toBe(JSON.stringify(a) === JSON.stringify(b));
      }),
    );
  });
});
