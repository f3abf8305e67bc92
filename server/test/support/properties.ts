import { readFileSync } from "node:fs";
import { expect } from "vitest";

/**
 * Random cases are equal in each run: one that fails, fails again. FC_SEED=<number> tries others.
 * Only files that use fast-check load it, which takes 0.1 s.
 */
const { testPath } = expect.getState();
if (testPath && readFileSync(testPath, "utf8").includes('from "fast-check"')) {
  const { default: fc } = await import("fast-check");
  fc.configureGlobal({ seed: Number(process.env.FC_SEED ?? 20_261_121) });
}
