import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { givenEnv, givenStore } from "@/test/support/console";
import { lease, releaseLease, takeLease } from "./lease";
import type { Db } from "./connection";

const ours = randomUUID();
const theirs = randomUUID();
const name = "token:aurora";
const ttlMs = 15_000;
let db: Db;

beforeEach(async () => {
  givenEnv();
  db = await givenStore();
});

const takenBy = (holder: string) => takeLease(db, { name, ttlMs, holder });

describe("a lease", () => {
  it("gives a lease to one holder, who may renew it", async () => {
    expect([await takenBy(ours), await takenBy(theirs), await takenBy(ours)]).toEqual([true, false, true]);
  });

  it("gives a lease to one of many concurrent applicants", async () => {
    const wanted = Array.from({ length: 20 }, () => takeLease(db, { name, ttlMs, holder: randomUUID() }));
    expect((await Promise.all(wanted)).filter(Boolean)).toHaveLength(1);
  });

  it("passes a lease on after it expires", async () => {
    await takeLease(db, { name, ttlMs, holder: theirs });
    await db.update(lease).set({ until: sql`clock_timestamp() - interval '1 millisecond'` });
    expect(await takeLease(db, { name, ttlMs, holder: ours })).toBe(true);
  });

  it("passes a lease on only when its holder releases it", async () => {
    await takeLease(db, { name, ttlMs, holder: theirs });
    await releaseLease(db, name, ours);
    expect(await takeLease(db, { name, ttlMs, holder: ours })).toBe(false);
    await releaseLease(db, name, theirs);
    expect(await takeLease(db, { name, ttlMs, holder: ours })).toBe(true);
  });
});
