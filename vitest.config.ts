import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const fromRoot = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const folders = "{app,bench,components,server,lib,messages,scripts,service}";
/** Matrices and endurance tests are left to `npm run test:all`; naming one runs it, too. */
const withLong = process.env["TEST_LONG"] || process.argv.some((argument) => argument.includes(".long"));
const long = withLong ? [] : ["**/*.long.test.ts"];
const setupFiles = ["test/setup/patience.ts"];

const isLong = ({ moduleId }: TestSpecification) => moduleId.includes(".long.");

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- not an array's
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

/** Its files share a worker's modules and databases unless they are `isolated`: loading these costs more than most tests. */
const project = (
  name: string,
  include: string,
  {
    isolate = false,
    setup = [],
    exclude = [],
  }: {
    isolate?: boolean;
    setup?: string[];
    exclude?: string[];
  } = {},
) => ({
  extends: true as const,
  test: {
    name,
    include: [`${folders}/**/*${include}`],
    exclude: [...exclude, ...long, "node_modules"],
    isolate,
    setupFiles: [...setupFiles, ...setup],
  },
});

export default defineConfig({
  resolve: {
    alias: {
      "@": fromRoot("."),
      // Its default export throws outside a React server; the react-server condition would also swap React itself.
      "server-only": fromRoot("node_modules/server-only/empty.js"),
    },
  },
  test: {
    globalSetup: ["lib/store/test-dump.ts", "service/store/test-dump.ts", "test/setup/drop-databases.ts"],
    projects: [
      project("shared", ".test.{ts,tsx}", { exclude: ["**/*.{isolated,request}.*"] }),
      // Somebody is signed in, asks with headers and reads in a language: all mocked once for each worker.
      project("request", ".request{,.long}.test.ts", { setup: ["test/setup/request.ts"] }),
      // Files that replace modules of their own.
      project("isolated", ".isolated{,.long}.test.{ts,tsx}", { isolate: true }),
    ],
    pool: "threads",
    sequence: { sequencer: LongFirst },
    maxWorkers: availableParallelism(),
    // A fresh embedded database takes a second; on two busy cores many at once take much longer.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 20_000 } },
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
  },
});
