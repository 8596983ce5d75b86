import { availableParallelism } from "node:os";
import { defineConfig } from "@playwright/test";
import { setUpBrowser } from "@/scripts/setup/browser.mjs";
import type { Setting } from "@/e2e/support/story";
import { freePort } from "@/test/support/temporary-product.mjs";

// Workers read this file again with this process's environment, so the choice applies to them too.
const browser = (process.env["CHROMIUM_PATH"] ??= await setUpBrowser());
const port = (process.env["E2E_PORT"] ??= String(await freePort()));

const asRoot = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
/** Stories wait as much as they work; each worker with its own product takes a gigabyte. */
const workers = Math.min(availableParallelism() + 1, 4);
const quiet = ["--disable-background-networking", "--disable-component-update", "--disable-sync"];

/**
 * Stories disturbed by shared data, but not by one another: one product for all of them, without demo customers,
 * instead of one for each file.
 */
const APART =
  /(access-review|account-closing|approvals|calls|kyc-rules|kyc-triage|lab|lost-answers|outages|outcomes)\.spec\.ts$/;
/** The same for stories that change the company's settings; each leaves nobody shut out. */
const SETTINGS = /(allow-list|approval-policy|inbox|kyc-file|reveal-alarms)\.spec\.ts$/;
const WITHOUT_DEMO = { SERVICE_DEMO_DATA: "false" };

export default defineConfig<object, Pick<Setting, "ownProduct">>({
  testDir: "e2e",
  outputDir: "test-results",
  globalSetup: "./e2e/support/global-setup.ts",
  forbidOnly: true,
  // A story that passes on retry is reported as flaky: it is mended next, without blocking anybody today.
  retries: 1,
  // Matrices, variants and endurance tests are left to `npm run test:all`.
  ...(process.env["TEST_LONG"] ? {} : { grepInvert: /@long/ }),
  projects: [
    { name: "apart", testMatch: APART, workers: 1, use: { ownProduct: WITHOUT_DEMO } },
    {
      name: "settings",
      testMatch: SETTINGS,
      workers: 1,
      use: { ownProduct: { ...WITHOUT_DEMO, TRUSTED_PROXIES: "127.0.0.1/32,::1/128" } },
    },
    { name: "shared", testIgnore: [APART, SETTINGS] },
  ],
  workers,
  // For the slowest machines; an ordinary one needs far less.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  reporter: process.env["PLAYWRIGHT_JSON_OUTPUT_FILE"] ? [["list"], ["json"]] : [["list"]],
  use: {
    baseURL: `http://localhost:${port}`,
    actionTimeout: 60_000,
    browserName: "chromium",
    locale: "pt-BR",
    timezoneId: "America/Sao_Paulo",
    viewport: { width: 1350, height: 940 },
    // What moves without end (a skeleton, a spinner) is drawn anew sixty times a second, for nobody to see.
    contextOptions: { reducedMotion: "reduce" },
    screenshot: "only-on-failure",
    // Recording every story takes a quarter longer. A failed one leaves a picture and the page as text; `--trace on`
    // for more.
    trace: "off",
    launchOptions: { executablePath: browser, args: [...asRoot, ...quiet] },
  },
});
