import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { record } from "@/lib/audit/record";
import { auditEvent } from "@/lib/db/tables/audit";
import { unpackDump } from "@/test/support/service/store";
import { openStore } from "./connection";
import { dumpFile } from "@/test/support/store-dump";

let dataDir = "";
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "store-"));
  unpackDump(dumpFile(), join(dataDir, "console/pg"));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

describe("the embedded store", () => {
  it("keeps the store's rows across starts and allows one opener", async () => {
    const first = await openStore({ databaseUrl: null, dataDir });
    await record(first.db, { tenant: "aurora", actor: "watch:kyc", code: "kyc.decide", outcome: "DONE" });
    await expect(openStore({ databaseUrl: null, dataDir })).rejects.toThrow(`in use by process ${process.pid}`);
    await first.close();
    const second = await openStore({ databaseUrl: null, dataDir });
    expect(await second.db.select().from(auditEvent)).toMatchObject([{ code: "kyc.decide" }]);
    await second.close();
  }, 30_000);

  it.each([
    [
      "a newer version",
      sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('later', ${Date.UTC(2099, 0, 1)})`,
    ],
    ["a version before 0.2.0", sql`update drizzle.__drizzle_migrations set hash = 'before', created_at = 1`],
  ])("refuses to open a store with tables of %s", async (version, statement) => {
    const first = await openStore({ databaseUrl: null, dataDir });
    await first.db.execute(statement);
    await first.close();
    for (const _ of ["once", "again"]) {
      await expect(openStore({ databaseUrl: null, dataDir })).rejects.toThrow(
        `the database's tables are those of ${version}`,
      );
    }
  });
});
