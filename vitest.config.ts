import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const fromRoot = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const folders = "{app,bench,components,server,lib,messages,ops,scripts,service}";
/** Matrices and endurance tests are left to `npm run test:all`; naming one runs it, too. */
const withLong = process.env["TEST_LONG"] || process.argv.some((argument) => argument.includes(".long"));
const long = withLong ? [] : ["**/*.long.test.ts"];

const isLong = ({ moduleId }: TestSpecification) => moduleId.includes(".long.");

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- not an array's
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
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
    globalSetup: ["test/support/store-dump.ts", "test/support/service/store-dump.ts", "test/setup/drop-databases.ts"],
    projects: [
      // One worker runs many files, as loading modules and the embedded database costs more than the tests.
      {
        extends: true,
        test: {
          name: "shared",
          include: [`${folders}/**/*.test.{ts,tsx}`],
          exclude: ["**/*.isolated.*", ...long, "node_modules"],
          isolate: false,
          setupFiles: ["test/setup/patience.ts", "test/setup/request.ts"],
        },
      },
      // Files that replace modules keep a worker to themselves.
      {
        extends: true,
        test: {
          name: "isolated",
          include: [`${folders}/**/*.isolated.*`],
          exclude: long,
          setupFiles: ["test/setup/patience.ts"],
        },
      },
    ],
    pool: "threads",
    sequence: { sequencer: LongFirst },
    // With a server a worker waits for it half of the time.
    maxWorkers: availableParallelism() + (process.env["TEST_DATABASE_URL"] ? 1 : 0),
    // A fresh embedded database takes a second; on two busy cores many at once take much longer.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 20_000 } },
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
  },
});
