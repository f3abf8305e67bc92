import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { shapesText } from "./shapes-text.ts";

const file = fileURLToPath(new URL("../src/shapes.ts", import.meta.url));

test("the package has the shapes of the contract", async () => {
  // Where a shape changed: npx vitest run sdk/web/test/shapes-text.test.ts -u
  await expect(shapesText()).toMatchFileSnapshot(file);
});
