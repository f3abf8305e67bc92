import fc from "fast-check";
import { expect, test } from "vitest";
import { encodeId, newId } from "../../platform/ids.ts";
import { deliveryOf, referenceTo } from "./reference.ts";

test("a reference names its delivery and, where it was told, its person, in characters that every provider accepts", () => {
  fc.assert(
    fc.property(fc.uuid(), fc.option(fc.uuid(), { nil: undefined }), (deliveryId, personKey) => {
      const reference = referenceTo({ deliveryId, personKey });
      expect(reference).toMatch(/^[\w-]{30,53}$/);
      expect(deliveryOf(reference)).toEqual({ deliveryId, ...(personKey !== undefined && { personKey }) });
    }),
  );
});

const id = encodeId("dlv", newId());
test.each([
  "",
  "dlv_",
  id.slice(1),
  `${id}_`,
  `${id}x`,
  `${id}_AAAAAAAAAAAAAAAAAAAAAB`,
  `${id}_${"A".repeat(23)}`,
  7,
  null,
  [id],
])("%j names no delivery", (value) => {
  expect(deliveryOf(value)).toBeUndefined();
});
