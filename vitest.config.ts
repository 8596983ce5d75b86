import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const fromRoot = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  resolve: {
    alias: {
      "@": fromRoot("."),
      // Its default export throws outside a React server; the react-server condition would also swap React itself.
      "server-only": fromRoot("node_modules/server-only/empty.js"),
    },
  },
  test: {
    globalSetup: ["service/store/test-dump.ts"],
    include: ["{app,bench,components,lib,messages,scripts,service}/**/*.test.{ts,tsx}"],
    // A fresh embedded database takes a second; on a busy machine many at once take longer.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
  },
});
