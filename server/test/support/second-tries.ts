import type { Reporter, TestCase } from "vitest/node";

/** Prints the tests that passed at a second try only (see `retry` in vitest.config.ts), so that nobody overlooks them. */
export default class SecondTries implements Reporter {
  readonly #found: TestCase[] = [];

  onTestCaseResult(test: TestCase): void {
    if (test.diagnostic()?.flaky) this.#found.push(test);
  }

  onTestRunEnd(): void {
    for (const test of this.#found) {
      const [error] = test.result().errors ?? [];
      console.log(
        `passed at the second try: ${test.module.relativeModuleId} > ${test.fullName}: ${error?.message ?? ""}`,
      );
    }
  }
}
