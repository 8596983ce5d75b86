import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const fromRoot = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const tests = "{app,bench,components,server,lib,messages,scripts,service}/**/*.test.{ts,tsx}";
/** What takes long is left to `npm test`. */
const long = process.env["TEST_QUICKLY"] ? ["**/*.long.test.ts"] : [];
const isolated = "{app,components,lib,service}/**/*.isolated.test.{ts,tsx}";

/** What waits for programs, first: begun last, it would keep one core idle at the end. */
const WAITS = /\.long\.test\.ts$|\/scripts\/ops\/|\/lib\/(store|process)\//;

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- not an array's
    const sorted = await super.sort(files);
    return [true, false].flatMap((waits) => sorted.filter(({ moduleId }) => WAITS.test(moduleId) === waits));
  }
}

export default defineConfig({
  resolve: {
    alias: {
      "@": fromRoot("."),
      // Its default export throws outside a React server; the react-server condition would also swap React itself.
      "server-only": fromRoot("node_modules/server-only/empty.js"),
    },
  },
  test: {
    setupFiles: ["scripts/checks/test-patience.ts"],
    globalSetup: ["lib/store/test-dump.ts", "service/store/test-dump.ts", "scripts/checks/drop-test-databases.ts"],
    projects: [
      // One worker runs many files: what costs is loading the embedded database, not the tests.
      {
        extends: true,
        test: { name: "shared", include: [tests], exclude: [isolated, ...long, "node_modules"], isolate: false },
      },
      // Files that replace modules keep a worker to themselves.
      { extends: true, test: { name: "isolated", include: [isolated] } },
    ],
    // Threads of one process compile the embedded database once; a process of its own would do it for each isolated file,
    // which took 77 s of processor time in place of 54 s.
    pool: "threads",
    sequence: { sequencer: LongestFirst },
    // One more than there are cores, for what waits: nothing else runs beside the tests but a few short checks.
    maxWorkers: availableParallelism() + 1,
    // A fresh embedded database takes a second; on two busy cores many at once take much longer.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 20_000 } },
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
  },
});
