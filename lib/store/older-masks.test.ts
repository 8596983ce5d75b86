import { randomUUID } from "node:crypto";
import { beforeEach, expect, it } from "vitest";
import { givenEnv, givenStore } from "@/lib/testing";
import { sealDocument } from "./document";
import { maskOlderDocuments } from "./older-masks";
import { account, onboarding } from "./schema";
import type { Db } from "./store";

let db: Db;
beforeEach(async () => {
  givenEnv();
  db = await givenStore();
});

async function keepAccount(document: string, changes: Partial<typeof account.$inferInsert> = {}) {
  const ref = randomUUID();
  const kept = sealDocument({ table: "account", id: ref }, document);
  const place = { tenant: "aurora", accountId: ref, branch: "1", number: "2", firstSeenAt: new Date() };
  await db.insert(account).values({ ref, ...place, ...kept, ...changes });
  return ref;
}

const masks = async () =>
  new Map((await db.select().from(account)).map(({ ref, documentMask }) => [ref, documentMask]));

it("what an earlier release kept without a mask gets one, and what has one keeps it", async () => {
  const older = await keepAccount("41720563853", { documentMask: null });
  const newer = await keepAccount("52998224725", { documentMask: "as it was" });
  const id = randomUUID();
  const at = { firstSeenAt: new Date(), changedAt: new Date(), checkedAt: new Date() };
  const kept = { ...sealDocument({ table: "onboarding", id }, "11222333000181"), documentMask: null };
  await db.insert(onboarding).values({ id, tenant: "aurora", status: "PROCESSING", messages: [], ...at, ...kept });
  expect(await maskOlderDocuments(db)).toBe(2);
  expect(await db.select({ mask: onboarding.documentMask }).from(onboarding)).toEqual([{ mask: "**.222.333/0001-**" }]);
  expect(await masks()).toEqual(
    new Map([
      [older, "***.205.638-**"],
      [newer, "as it was"],
    ]),
  );
  expect(await maskOlderDocuments(db)).toBe(0);
});

it("what no key opens stays without a mask and hinders no other", async () => {
  const [lost, older] = [
    await keepAccount("41720563853", { documentMask: null, documentSealed: "v2.00000000.AAAA" }),
    await keepAccount("52998224725", { documentMask: null }),
  ];
  expect(await maskOlderDocuments(db)).toBe(1);
  expect((await masks()).get(lost)).toBeNull();
  expect((await masks()).get(older)).toBe("***.982.247-**");
});

it("more than one batch of them get theirs", async () => {
  const ref = await keepAccount("41720563853", { documentMask: null });
  const rows = Array.from({ length: 520 }, () => {
    const id = randomUUID();
    const kept = { ...sealDocument({ table: "account", id }, "41720563853"), documentMask: null };
    return { ref: id, tenant: "aurora", accountId: id, branch: "1", number: "2", firstSeenAt: new Date(), ...kept };
  });
  await db.insert(account).values(rows);
  expect(await maskOlderDocuments(db)).toBe(521);
  expect((await masks()).get(ref)).toBe("***.205.638-**");
  expect([...(await masks()).values()]).not.toContain(null);
});
