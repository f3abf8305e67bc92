import { defaultServerConditions } from "vite";
import { defineConfig } from "vitest/config";

export default defineConfig({
  // Packages of this repository are tested as they stand in src, not as they were last built.
  ssr: { resolve: { conditions: ["tidings-source", ...defaultServerConditions] } },
  test: {
    include: [
      "server/**/*.test.ts",
      "contract/**/*.test.ts",
      "dashboard/**/*.test.ts",
      "sdk/**/*.test.ts",
      "examples/**/*.test.ts",
      "release/*.test.ts",
      "benchmarks/**/*.test.ts",
    ],
    globalSetup: ["server/test/support/global-setup.ts"],
    setupFiles: ["server/test/support/properties.ts"],
    pool: "forks",
    // Tests also wait: on two processors the whole run took 644 s with two workers, and 443 s with three, where no processor is idle.
    maxWorkers: 3,
    // Each worker imports the service once and not once a file, which took 1.3 s of CPU in each of 200 files. So a file must end
    // what it begins (`atEnd`), and put back what it replaces in the process.
    isolate: false,
    testTimeout: 90_000,
    // A second try on a CI machine, which .ci/run names at its end: a stall there must not hide what all other tests say.
    retry: process.env.CI ? 1 : 0,
    reporters: ["default", "./server/test/support/second-tries.ts"],
    hookTimeout: 120_000,
    // The database of the whole run ends here; on a loaded machine that takes longer than the 10 s that Vitest gives it.
    teardownTimeout: 60_000,
    env: { LOG_LEVEL: "silent" },
  },
});
