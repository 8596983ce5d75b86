import { beforeEach, describe, expect, it } from "vitest";
import type { Db } from "@/lib/db/connection";
import { givenEnv, givenStore } from "@/test/support/console";
import { checkTenant, readCheck } from "./check";
import { givenHeads, givenRows, REWRITE, tamper, TENANT } from "@/test/support/audit";

let db: Db;
let heads: ReturnType<typeof givenHeads>;
let nowMs = 0;
beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  heads = givenHeads(db);
  nowMs = Date.UTC(2026, 10, 21);
  await givenRows(db, 30);
  await heads.sign();
});

const check = async (laterMs = 60_000) => {
  nowMs += laterMs;
  const { trust, directory } = heads;
  return checkTenant(db, TENANT, { trust, directory, now: () => new Date(nowMs) });
};

describe("the check in the background", () => {
  it("reports how far the record is intact and when it was checked", async () => {
    expect(await readCheck(db, TENANT)).toBeNull();
    expect(await check()).toMatchObject({ upTo: { seq: 30 }, fault: null });
    await givenRows(db, 5);
    expect(await check()).toMatchObject({ upTo: { seq: 35 }, checkedAt: new Date(nowMs).toISOString(), fault: null });
    expect(await readCheck(db, TENANT)).toMatchObject({ upTo: { seq: 35 } });
  });

  it("finds a row altered after its check", async () => {
    await check();
    await tamper(db, "UPDATE audit_event SET actor = 'eva' WHERE seq = 7");
    expect(await check()).toMatchObject({ upTo: { seq: 6 }, fault: { kind: "altered", seq: 7 } });
  });

  it.each([
    ["a chain written anew", ["UPDATE audit_event SET actor = 'eva' WHERE seq = 7", REWRITE], "rewritten"],
    ["an end cut off", ["DELETE FROM audit_event WHERE seq > 12"], "truncated"],
    [
      "an older copy",
      [
        "DELETE FROM audit_event WHERE seq > 12",
        "UPDATE audit_head SET (seq, hash) = (SELECT seq, hash FROM audit_event WHERE seq = 12)",
      ],
      "restored",
    ],
  ])("finds %s at the next check", async (_, statements, kind) => {
    await check();
    await tamper(db, ...statements);
    expect((await check()).fault?.kind).toBe(kind);
  });

  it("keeps reporting a fault and rechecks everything after ten minutes", async () => {
    await check();
    await tamper(db, "UPDATE audit_event SET actor = 'eva' WHERE seq = 7");
    await check();
    await tamper(db, "UPDATE audit_event SET actor = 'ana' WHERE seq = 7");
    expect((await check()).fault).toEqual({ kind: "altered", seq: 7 });
    expect((await check(600_000)).fault).toBeNull();
  });
});
