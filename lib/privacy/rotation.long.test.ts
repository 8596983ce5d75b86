import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq, inArray, sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { providerIntent } from "@/lib/db/tables/provider";
import { kycDecision } from "@/lib/db/tables/kyc";
import { type DataKey, dataKey, dataKeyFiles } from "@/lib/settings/keys";
import { accountDocument } from "@/lib/db/document";
import { account, onboarding } from "@/lib/db/tables/customers";
import { auditEvent } from "@/lib/db/tables/audit";
import { lookupHash, lookupHashes, seal, unseal } from "@/lib/db/seal";
import type { Db } from "@/lib/db/connection";
import { givenEnv, givenStaff, givenStore } from "@/test/support/console";
import { env } from "@/lib/settings/env";
import { signedInBeside } from "@/test/support/slices";
import { readKeyState, resealRound, rotateRound } from "./rotation";
import { givenAccount, givenAccounts, givenOnboarding } from "@/test/support/privacy";
import { givenIntentRows } from "@/test/support/claims";

const CPF = "52998224725";
const old = dataKey(Buffer.alloc(32, 7));
const next = dataKey(Buffer.alloc(32, 8));

let db: Db;
let dataDir = "";
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "rotation-"));
  givenEnv({ dataKeys: [old] });
  db = await givenStore();
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

async function rotate(): Promise<number> {
  let resealed = 0;
  for (let isFirst = true; ; isFirst = false) {
    const round = await rotateRound(db, { isFirst });
    resealed += round.resealed;
    if (round.isDone) return resealed;
  }
}

const valuesOf = async ({ id }: DataKey) => (await readKeyState(db)).keys.find(({ key }) => key === id)?.values ?? 0;

async function givenIntent(body: string, createdAt: Date): Promise<string> {
  const id = await givenStaff(db, "finance");
  await givenIntentRows(db, {
    tenant: "aurora",
    id,
    operation: "/v1/transfers",
    object: "account:7",
    isExclusive: false,
    actor: id,
    bodyHash: lookupHash(body),
    bodySealed: seal(body, { column: "bank_intent.body_sealed", row: ["aurora", id] }),
    keptSealed: seal(body, { column: "bank_intent.kept_sealed", row: ["aurora", id] }),
    key: id,
    state: "DONE",
    attempts: 1,
    mayHaveExecuted: true,
    owner: id,
    sendingUntil: createdAt,
    createdAt,
  });
  return id;
}

describe("an exchange of the key in the settings", () => {
  it("leaves nothing on the old key; the new key alone opens and finds everything", async () => {
    const ref = await givenAccount(db, CPF);
    await givenOnboarding(db, CPF);
    const intentId = await givenIntent('{"amount":10.50}', new Date());
    givenEnv({ dataKeys: [next, old] });
    expect(await rotate()).toBe(4);
    expect([await valuesOf(old), await valuesOf(next)]).toEqual([0, 4]);
    givenEnv({ dataKeys: [next] });
    const [stored] = await db
      .select()
      .from(account)
      .where(inArray(account.documentHash, lookupHashes(CPF)));
    expect(stored?.ref).toBe(ref);
    expect(stored === undefined ? "" : accountDocument(stored)).toBe(CPF);
    expect(await db.$count(onboarding, inArray(onboarding.documentHash, lookupHashes(CPF)))).toBe(1);
    const [intent] = await db.select().from(providerIntent);
    expect(intent?.bodyHash).toBe(lookupHash('{"amount":10.50}'));
    const place = { column: "bank_intent.kept_sealed", row: ["aurora", intentId] } as const;
    expect(unseal(intent?.keptSealed ?? "", place)).toBe('{"amount":10.50}');
  });

  it("lets others write between a key change's batches", async () => {
    await givenAccount(db, CPF);
    givenEnv({ dataKeys: [next, old] });
    const codes = await signedInBeside(db, () => rotateRound(db, { isFirst: true }));
    expect(codes).toHaveLength(3);
    expect(codes.at(-1)).toBe("keys.rotate");
  });

  it("keeps each tenant's own text when two share an intent", async () => {
    const id = await givenIntent("{}", new Date());
    const [intent] = await db.select().from(providerIntent);
    if (intent === undefined) throw new Error("the intent was not made");
    await givenIntentRows(db, { ...intent, tenant: "boreal" });
    for (const tenant of ["aurora", "boreal"]) {
      const reason = seal(`decided at ${tenant}`, { column: "kyc_decision.reason", row: [tenant, id] });
      const decided = { tenant, intentId: id, kycUUID: "7", decision: "APPROVED", reason, staffId: id } as const;
      await db.insert(kycDecision).values({ ...decided, createdAt: new Date() });
    }
    givenEnv({ dataKeys: [next, old] });
    await rotate();
    const decided = await db.select().from(kycDecision).orderBy(kycDecision.tenant);
    const opened = decided.map(({ tenant, reason }) =>
      unseal(reason, { column: "kyc_decision.reason", row: [tenant, id] }),
    );
    expect(opened).toEqual(["decided at aurora", "decided at boreal"]);
  });

  it("binds rows of an earlier version to their tenant", async () => {
    const id = await givenIntent("{}", new Date());
    const reason = seal("decided before", { column: "kyc_decision.reason", row: [id] });
    const decided = {
      tenant: "aurora",
      intentId: id,
      kycUUID: "7",
      decision: "APPROVED",
      reason,
      staffId: id,
    } as const;
    await db.insert(kycDecision).values({ ...decided, createdAt: new Date() });
    givenEnv({ dataKeys: [next, old] });
    await rotate();
    const [row] = await db.select().from(kycDecision);
    const openedIn = (tenant: string) =>
      unseal(row?.reason ?? "", { column: "kyc_decision.reason", row: [tenant, id] });
    expect(openedIn("aurora")).toBe("decided before");
    expect(() => openedIn("boreal")).toThrow(/authenticate/);
  });

  it("resumes a key change after a stop and reseals nothing twice", async () => {
    await givenAccounts(db, 450);
    givenEnv({ dataKeys: [next, old] });
    // The process dies in the seventh batch, which is rolled back.
    await db.execute(sql`create function die_at_320() returns trigger language plpgsql as $$ begin
      if (select count(*) from account where starts_with(document_sealed, ${sql.raw(`'v2.${next.id}.'`)})) >= 320 then
        raise exception 'killed'; end if; return new; end $$`);
    await db.execute(sql`create trigger die before update on account for each row execute function die_at_320()`);
    await expect(rotateRound(db, { isFirst: true })).rejects.toThrow(/./);
    expect(await valuesOf(next)).toBe(300);
    await db.execute(sql`drop trigger die on account`);
    await db.execute(sql`drop function die_at_320`);
    expect(await rotate()).toBe(150);
    expect([await valuesOf(old), await valuesOf(next)]).toEqual([0, 450]);
  });

  it("changes keys in rounds and reports its progress between them", async () => {
    await givenAccounts(db, 2_050);
    givenEnv({ dataKeys: [next, old] });
    expect(await resealRound(db)).toEqual({ resealed: 2_000, unreadable: 0, isDone: false });
    expect(await resealRound(db)).toEqual({ resealed: 50, unreadable: 0, isDone: true });
  });

  it("reseals rows written by instances that still seal with the old key", async () => {
    givenEnv({ dataKeys: [next, old] });
    await givenAccount(db, CPF);
    givenEnv({ dataKeys: [old, next] });
    await givenAccount(db, "39053344705");
    expect(await db.$count(account, inArray(account.documentHash, lookupHashes(CPF)))).toBe(1);
    givenEnv({ dataKeys: [next, old] });
    expect(await rotate()).toBe(1);
  });

  it("reports values that no key opens, and leaves them", async () => {
    givenEnv({ dataKeys: [dataKey(Buffer.alloc(32, 9))] });
    await givenAccount(db, CPF);
    const before = await db.select().from(account);
    givenEnv({ dataKeys: [old] });
    await givenAccount(db, CPF);
    givenEnv({ dataKeys: [next, old] });
    expect(await rotateRound(db, { isFirst: true })).toMatchObject({ resealed: 1, unreadable: 1, isDone: true });
    expect(
      await db
        .select()
        .from(account)
        .where(eq(account.ref, before[0]?.ref ?? "")),
    ).toEqual(before);
    expect((await readKeyState(db)).keys.map(({ use, values }) => [use, values])).toEqual([
      ["seals", 1],
      ["opens", 0],
      ["unknown", 1],
    ]);
  });

  it("refuses a key change when every row has that key already", async () => {
    await givenAccount(db, CPF);
    await expect(rotateRound(db, { isFirst: true })).rejects.toThrow(/name the next one in DATA_KEY/);
    expect(await db.select().from(auditEvent)).toEqual([]);
  });

  it("audits the key's id in a key change", async () => {
    await givenAccount(db, CPF);
    givenEnv({ dataKeys: [next, old] });
    await rotate();
    const trail = await db.select().from(auditEvent).orderBy(auditEvent.seq);
    expect(trail).toMatchObject([
      { code: "keys.rotate", actor: "command", outcome: "INTENT", detail: { key: next.id } },
      { code: "keys.rotate", actor: "command", outcome: "DONE", detail: { key: next.id, unreadable: 0 } },
    ]);
  });

  it("keeps the old key for one day when an order was made under it", async () => {
    await givenIntent("{}", new Date(Date.now() - 25 * 3_600_000));
    await db.update(providerIntent).set({ bodySealed: null });
    givenEnv({ dataKeys: [next, old] });
    await rotate();
    expect((await readKeyState(db)).othersWantedUntil).toBeNull();
    const createdAt = new Date(Date.now() - 3_600_000);
    await db.update(providerIntent).set({ createdAt });
    expect((await readKeyState(db)).othersWantedUntil).toBe(new Date(createdAt.getTime() + 86_400_000).toISOString());
  });
});

describe("an exchange of the key in files", () => {
  it("creates the next key, which all of this process then seal with", async () => {
    givenEnv({ dataDir, dataKeys: dataKeyFiles(dataDir), hasKeyFiles: true });
    const [first] = env().dataKeys;
    await givenAccount(db, CPF);
    expect(await rotate()).toBe(1);
    const [second] = env().dataKeys;
    expect(second.id).not.toBe(first.id);
    expect(dataKeyFiles(dataDir).map(({ id }) => id)).toEqual([second.id, first.id]);
    await givenAccount(db, CPF);
    expect([await valuesOf(first), await valuesOf(second)]).toEqual([0, 2]);
  });

  it("resumes a key change with its own key, and creates another only next time", async () => {
    givenEnv({ dataDir, dataKeys: dataKeyFiles(dataDir), hasKeyFiles: true });
    await givenAccounts(db, 2_001);
    expect(await rotateRound(db, { isFirst: true })).toMatchObject({ isDone: false });
    const [second] = env().dataKeys;
    expect(await rotate()).toBe(1);
    expect(env().dataKeys).toHaveLength(2);
    expect(await valuesOf(second)).toBe(2_001);
    expect(await rotate()).toBe(2_001);
    expect(env().dataKeys).toHaveLength(3);
  });
});
