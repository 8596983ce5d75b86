import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { checkSettings } from "./check-settings";
import { Refusal } from "@/scripts/program.mjs";

let dataDir = "";
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "retaguarda-settings-"));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

const provider = { BANK_BASE_URL: "https://bank.example", BANK_CLIENT_ID: "aurora", BANK_CLIENT_SECRET: "secret" };

test.each([
  ["DATA_KEY", "x"],
  ["WATCH_INTERVAL_SECONDS", "abc"],
  ["BANK_BASE_URL", "http://bank.example"],
  ["SERVICE_PROVIDER_DELAY_MS", "soon"],
])("refuses %s=%s before anything starts", (name, value) => {
  const check = () => checkSettings({ DATA_DIR: dataDir, [name]: value });
  expect(check).toThrow(Refusal);
  expect(check).toThrow(new RegExp(`^${name}: [^\\n]+$`));
});

test.each([
  ["a first start with the embedded service", {}],
  ["a provider", provider],
  [
    "a provider, with a wrong setting of the service that will not run",
    { ...provider, SERVICE_PROVIDER_DELAY_MS: "x" },
  ],
])("accepts the setting %s", (_, settings) => {
  expect(() => checkSettings({ DATA_DIR: dataDir, ...settings })).not.toThrow();
});
