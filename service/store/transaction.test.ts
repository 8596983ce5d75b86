import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { signingKey } from "./schema";
import { afterCommit, type Db, savepoint, sqlState, transaction } from "./transaction";
import { emptyDatabase } from "@/test/support/service/store";

let db: Db;
beforeEach(async () => {
  db = await emptyDatabase();
});

const key = (id: string) => ({ id, secret: "s", createdAt: new Date(0) });
const lose = (state: string) =>
  sql.raw(`DO $$ BEGIN RAISE EXCEPTION 'lost the race' USING ERRCODE = '${state}'; END $$`);

test.each(["40001", "40P01"])("retries a race lost with %s, and only the last run counts", async (state) => {
  let runs = 0;
  const result = await transaction(db, async (tx) => {
    runs += 1;
    await tx.insert(signingKey).values(key(`run ${runs}`));
    if (runs < 3) await tx.execute(lose(state));
    return runs;
  });
  expect(result).toBe(3);
  expect(await db.select({ id: signingKey.id }).from(signingKey)).toEqual([{ id: "run 3" }]);
});

test("gives up a race lost six times", async () => {
  let runs = 0;
  const losing = transaction(db, async (tx) => {
    runs += 1;
    await tx.execute(lose("40001"));
  });
  await expect(losing).rejects.toSatisfy((error) => sqlState(error) === "40001");
  expect(runs).toBe(6);
});

test("runs any other failure once and undoes it", async () => {
  let runs = 0;
  const failing = transaction(db, async (tx) => {
    runs += 1;
    await tx.insert(signingKey).values(key("one"));
    await tx.insert(signingKey).values(key("one"));
  });
  await expect(failing).rejects.toSatisfy((error) => sqlState(error) === "23505");
  expect([runs, await db.$count(signingKey)]).toEqual([1, 0]);
});

describe("what memory learns of a transaction", () => {
  const told: string[] = [];
  const effect = (name: string) => ({
    committed: () => void told.push(`${name} committed`),
    abandoned: () => void told.push(`${name} abandoned`),
  });
  beforeEach(() => told.splice(0));

  test("updates memory after the commit and before the caller continues", async () => {
    await transaction(db, async (tx) => {
      afterCommit(tx, effect("money"));
      expect(told).toEqual([]);
    });
    expect(told).toEqual(["money committed"]);
  });

  test("tells memory of an abandonment for each failed run", async () => {
    const losing = transaction(db, async (tx) => {
      afterCommit(tx, effect("money"));
      await tx.execute(lose("23505"));
    });
    await expect(losing).rejects.toSatisfy((error) => sqlState(error) === "23505");
    expect(told).toEqual(["money abandoned"]);
  });

  test("tells memory of a kept savepoint, and of no rolled-back one", async () => {
    await transaction(db, async (tx) => {
      await savepoint(tx, async (inner) => afterCommit(inner, effect("kept")));
      const undone = savepoint(tx, async (inner) => {
        afterCommit(inner, effect("undone"));
        await inner.execute(lose("23505"));
      });
      await expect(undone).rejects.toSatisfy((error) => sqlState(error) === "23505");
    });
    expect(told).toEqual(["undone abandoned", "kept committed"]);
  });

  test("tells memory nothing of a transaction begun otherwise", async () => {
    const begun = db.transaction(async (tx) => afterCommit(tx, effect("money")));
    await expect(begun).rejects.toThrow("was not begun by");
  });
});
