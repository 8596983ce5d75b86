import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { search } from "./canary-search";
import { makeDatabases } from "./made-databases";
import { STEADY } from "./pace";
import { putDownBuild, startProduct } from "./product";

/** Recorded in every run: a search without these places would prove nothing. */
const ALWAYS = ["answer", "headers", "address", "log", "console database", "service database", "built file"];

/** Searches everything recorded in the run for canaries; a hit fails the run. */
async function requireNoHits(folder: string): Promise<void> {
  await putDownBuild();
  const { canaries, places, hits } = search(folder);
  const all = [...places.values()].reduce((sum, count) => sum + count, 0);
  const told = [...places].map(([kind, count]) => `${kind} ${count}`).join(", ");
  process.stdout.write(`\n  canaries ${canaries}, places ${all}, hits ${hits.length} (${told})\n`);
  const unseen = ALWAYS.filter((kind) => !places.has(kind));
  if (unseen.length > 0) throw new Error(`nothing was looked for in: ${unseen.join(", ")}`);
  if (hits.length > 0) throw new Error(`what must not be seen was seen\n${[...new Set(hits)].join("\n")}`);
}

/** Starts the built product once for all stories and passes its details through the environment. */
export default async function startSharedProduct() {
  // Recording and searching belong to the long run.
  const folder = process.env["TEST_LONG"] ? mkdtempSync(join(tmpdir(), "retaguarda-canaries-")) : undefined;
  if (folder !== undefined) process.env["E2E_CANARIES"] = folder;
  const [product, removeDatabases] = await Promise.all([
    startProduct({ PORT: process.env["E2E_PORT"] ?? "", ...STEADY }),
    makeDatabases(),
  ]);
  process.env["E2E_SERVICE_URL"] = product.serviceUrl;
  process.env["E2E_CONTROL_TOKEN"] = product.controlToken;
  process.env["E2E_DATA_DIR"] = product.dataDir;
  process.env["E2E_HOME"] = JSON.stringify(product.home);
  process.env["E2E_LOG"] = product.log;
  return async () => {
    await product.stop();
    try {
      if (folder !== undefined) await requireNoHits(folder);
    } finally {
      removeDatabases();
      if (folder !== undefined) rmSync(folder, { recursive: true });
    }
  };
}
