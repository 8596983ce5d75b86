import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, it } from "vitest";
import { dataKeyFiles } from "@/lib/settings/keys";
import { sealDocument } from "@/lib/db/document";
import { account } from "@/lib/db/tables/customers";
import { openStore } from "@/lib/db/connection";
import { dumpFile } from "@/test/support/store-dump";
import { givenEnv } from "@/test/support/console";
import { unpackDump } from "@/test/support/service/store";

const ACCOUNTS = 2_000;

let dataDir = "";
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "exchange-"));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

function run(...args: string[]) {
  const bank = { BANK_BASE_URL: "https://bank.example", BANK_CLIENT_ID: "aurora", BANK_CLIENT_SECRET: "secret" };
  const env = { PATH: process.env["PATH"], DATA_DIR: dataDir, ...bank, NODE_ENV: "test" as const };
  const program = ["--conditions=react-server", "scripts/launch.mjs", "ops/commands/keys.ts", ...args];
  return spawn(process.execPath, program, { env, stdio: ["ignore", "pipe", "inherit"] });
}

async function seed(): Promise<void> {
  givenEnv({ dataDir, dataKeys: dataKeyFiles(dataDir), hasKeyFiles: true });
  unpackDump(dumpFile(), join(dataDir, "console/pg"));
  const { db, close } = await openStore({ databaseUrl: null, dataDir });
  const rows = Array.from({ length: ACCOUNTS }, (_, n) => {
    const ref = randomUUID();
    const named = { tenant: "aurora", accountId: ref, branch: "0001", number: String(n), firstSeenAt: new Date() };
    return { ref, ...named, ...sealDocument({ table: "account", id: ref }, String(n)) };
  });
  for (let at = 0; at < ACCOUNTS; at += 1_000) await db.insert(account).values(rows.slice(at, at + 1_000));
  await close();
}

it("resumes a killed data-key exchange and leaves nothing sealed with the old key", async () => {
  await seed();
  const killed = run();
  await once(killed.stdout, "data");
  killed.kill("SIGKILL");
  await once(killed, "exit");
  const [next, old] = dataKeyFiles(dataDir);
  const said = await text(run().stdout);
  // The canary that verifies the key at a start is sealed, too.
  expect(said).toMatch(new RegExp(`^${next.id} +2,001 values  seals now$`, "m"));
  expect(said).toMatch(new RegExp(`^${old?.id} +0 values  opens what it sealed$`, "m"));
  expect(said).toContain(`${old?.id} seals nothing any more: its file may leave DATA_DIR/keys now.`);
  const sealedAgain = Number(/^([\d,]+) values sealed with/m.exec(said)?.[1]?.replace(",", ""));
  expect(sealedAgain).toBeLessThan(ACCOUNTS);
  expect(dataKeyFiles(dataDir)).toHaveLength(2);
}, 300_000);
