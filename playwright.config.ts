import { defineConfig } from "@playwright/test";
import { setUpBrowser } from "@/scripts/browser.mjs";
import { freePort } from "@/scripts/temporary-product.mjs";

// The workers read this file again, with this process's environment: what is chosen here once holds for them too.
const browser = (process.env["CHROMIUM_PATH"] ??= await setUpBrowser());
const port = (process.env["E2E_PORT"] ??= String(await freePort()));

const asRoot = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
const quiet = ["--disable-background-networking", "--disable-component-update", "--disable-sync"];

export default defineConfig({
  testDir: "e2e",
  outputDir: "test-results",
  globalSetup: "./e2e/global-setup.ts",
  forbidOnly: true,
  retries: 0,
  workers: 2,
  timeout: 30_000,
  reporter: process.env["PLAYWRIGHT_JSON_OUTPUT_FILE"] ? [["list"], ["json"]] : [["list"]],
  use: {
    baseURL: `http://localhost:${port}`,
    browserName: "chromium",
    locale: "pt-BR",
    timezoneId: "America/Sao_Paulo",
    viewport: { width: 1350, height: 940 },
    screenshot: "only-on-failure",
    trace: "retain-on-failure",
    launchOptions: { executablePath: browser, args: [...asRoot, ...quiet] },
  },
});
