import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { testService } from "../../../server/test/support/service.ts";
import { productText } from "./product-text.ts";

const file = fileURLToPath(new URL("../src/product.ts", import.meta.url));

test("the client has every route of the product API, with the types of the contract", async () => {
  const it = await testService();
  const document = (await it.call("GET", "/openapi.json", { key: null })).body;
  // Where a route changed: npx vitest run sdk/node/test/product-text.test.ts -u
  await expect(productText(document)).toMatchFileSnapshot(file);
});
