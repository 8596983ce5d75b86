import { randomUUID } from "node:crypto";
import { and, eq, isNull } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { AppError } from "@/lib/errors/app-error";
import type { Db } from "@/lib/db/connection";
import { auditEvent } from "@/lib/db/tables/audit";
import { deposit, depositNotice } from "@/lib/db/tables/deposits";
import { chainMovement, wallet } from "@/lib/db/tables/wallets";
import { Wallet } from "@/lib/contract/crypto";
import { saveWallets, toldReference } from "@/lib/wallets/records";
import { takeDelivery } from "@/lib/webhooks/intake";
import { actorOf, givenEnv, givenStaff, givenStore } from "@/test/support/console";
import { nameAddress } from "@/test/support/deposits";
import { deliveryOf, givenIntake } from "@/test/support/webhooks";
import { sweepOnce } from "@/lib/watch/watch";
import { expectOne, importExpected } from "./expect";
import { handleOne } from "./handle";
import { handledOf, handlingVersion } from "./handled";
import { ExpectOrder } from "./inputs";
import { keepDeposits } from "./keep";
import { depositWatch } from "./watch";

const ADDRESS = `0x${"ab".repeat(20)}`;
const TOUCHED = { keys: [{ family: "EVM" as const, addressKey: ADDRESS }] };

let db: Db;
let people: string[];

beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  people = [await givenStaff(db, "finance"), await givenStaff(db, "finance")];
  const seenAt = new Date();
  const listed = { tenant: "aurora", family: "EVM", coin: "ETH", status: "ACTIVE", userId: null };
  const place = { id: "forward", address: ADDRESS, isForwardPayment: true, createdAt: seenAt, seenAt };
  await db.insert(wallet).values({ ...listed, ...place });
});

const writer = (nth = 0) => actorOf("finance", people[nth % 2] ?? "", "wallets:label");

const order = (amount: string, reference = "PED-1") =>
  ExpectOrder.parse({ reference, amount, asset: "", network: "", due: "" });

const movements = (amounts: readonly number[]) => {
  const place = { tenant: "aurora", walletId: "forward", network: "ETHEREUM" as const, ordinal: 0 };
  const moved = { ...place, subtype: "incoming", counterAddress: "0x9", at: new Date() };
  return amounts.map((amount) => ({ ...moved, hash: `0x${amount}`, key: String(amount), amount: String(amount) }));
};

const arrive = (...amounts: number[]) => db.insert(chainMovement).values(movements(amounts));
const keep = () => keepDeposits(db, "aurora", TOUCHED, new Set());
const arrivals = () => db.select().from(deposit).where(eq(deposit.kind, "arrival"));
const upTo = (count: number) => Array.from({ length: count }, (_, nth) => nth + 1);

const UNTOUCHED = handlingVersion({ ownerId: null, reason: null, note: null });
const ofRow = (row: typeof deposit.$inferSelect) => ({ id: row.id, seen: handlingVersion(handledOf(row)) });

const audited = async (code: "deposits.handle" | "deposits.expect") => db.$count(auditEvent, eq(auditEvent.code, code));

const refusalOf = (error: unknown) => {
  if (error instanceof AppError) return error.kind;
  throw error;
};

describe("deposits that are kept while people write", () => {
  it("keeps a note that is written while its row would be deleted", async () => {
    let saved = 0;
    for (const round of upTo(6)) {
      await arrive(round);
      await keep();
      const [row] = await arrivals();
      await db.delete(chainMovement);
      const handling = { id: row?.id ?? "", owner: "me", reason: "accepted", note: "seen", seen: UNTOUCHED } as const;
      const [said] = await Promise.all([handleOne(writer(), handling).then(() => "saved", refusalOf), keep()]);
      const left = await arrivals();
      expect([said, left.length]).toEqual(left.length === 0 ? ["not-found", 0] : ["saved", 1]);
      saved += left.length;
      expect(await audited("deposits.handle")).toBe(saved);
      await db.delete(deposit);
    }
  });

  it("lets ten notes and ten sweeps of one address pass each other", async () => {
    await arrive(...upTo(20));
    await keep();
    for (const isDated of [false, true, false]) {
      await db.update(chainMovement).set({ isDated });
      const rows = await arrivals();
      const notes = rows.map((row, nth) =>
        handleOne(writer(nth), { ...ofRow(row), owner: "me", reason: "accepted", note: `${isDated} ${nth}` }),
      );
      await Promise.all([...notes, ...upTo(10).map(keep)]);
    }
    expect(await db.$count(deposit)).toBe(20);
    expect(await audited("deposits.handle")).toBe(60);
  });

  it("lets what is expected and notes on what arrived pass each other", async () => {
    await nameAddress(db, ADDRESS, "PED-1");
    await arrive(...upTo(10));
    await keep();
    const rows = await arrivals();
    const expected = upTo(10).map((amount) => expectOne(writer(amount), order(String(amount))));
    const noted = rows.map((row, nth) =>
      handleOne(writer(nth), { ...ofRow(row), owner: "me", reason: null, note: "seen" }),
    );
    await Promise.all([...expected, ...noted, keep()]);
    expect(
      (await arrivals()).filter(({ standing, ownerId }) => standing === "arrived" && ownerId !== null),
    ).toHaveLength(10);
    expect(await db.$count(deposit)).toBe(20);
    expect(await audited("deposits.expect")).toBe(10);
    expect(await audited("deposits.handle")).toBe(10);
  });

  it("keeps one row of an address that is named between two steps", async () => {
    await arrive(5);
    let isNamed = false;
    const transaction: Db["transaction"] = async (work, config) => {
      if (!isNamed) {
        isNamed = true;
        await nameAddress(db, ADDRESS, "PED-1");
        await expectOne(writer(), order("5"));
      }
      return db.transaction(work, config);
    };
    const meanwhile: Db = Object.create(db, { transaction: { value: transaction } });
    await keepDeposits(meanwhile, "aurora", TOUCHED, new Set());
    expect((await arrivals()).map(({ standing }) => standing)).toEqual(["arrived"]);
    expect(await db.$count(deposit, and(eq(deposit.kind, "expected"), eq(deposit.standing, "expected")))).toBe(0);
  });
});

describe("what is expected ten times at once", () => {
  it("is one row, from the form and from files", async () => {
    const csv = "PED-1;5\nPED-2;6";
    await Promise.all([
      ...upTo(5).map((nth) => expectOne(writer(nth), order("5"))),
      ...upTo(5).map((nth) => importExpected(writer(nth), { csv })),
    ]);
    expect((await db.select().from(deposit)).map(({ amount }) => amount).toSorted()).toEqual(["5", "6"]);
    expect(await audited("deposits.expect")).toBe(2);
  });
});

const STEPS: ReadonlySet<string | symbol> = new Set(["select", "selectDistinct", "insert", "execute", "transaction"]);

/** What runs in it ends at its nth step; false once all its steps are done. */
async function killedAt(nth: number, work: () => Promise<unknown>): Promise<boolean> {
  let step = 0;
  const dying = new Proxy(db, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      return (...given: unknown[]) => {
        if (STEPS.has(name) && ++step >= nth) throw new Error("killed");
        return Reflect.apply(value, target, given);
      };
    },
  });
  const whole = globalThis.retaguardaStore;
  if (whole === undefined) throw new Error("there is no store");
  globalThis.retaguardaStore = Promise.resolve({ ...(await whole), db: dying });
  const isKilled = await work().then(
    () => false,
    () => true,
  );
  globalThis.retaguardaStore = whole;
  return isKilled;
}

describe("what is killed between any two steps", () => {
  it("loses no event and doubles none", async () => {
    await sweepOnce(depositWatch, "aurora");
    let said = 0;
    for (let isKilled = true; isKilled;) {
      said += 1;
      const event = { event: "crypto-cash-in", id: randomUUID() };
      await takeDelivery(givenIntake(db).deps, "aurora", deliveryOf({ address: ADDRESS, amount: String(said) }, event));
      isKilled = await killedAt(said, () => depositWatch.sweep("aurora"));
      await sweepOnce(depositWatch, "aurora");
      expect(await db.$count(depositNotice)).toBe(said);
      expect(new Set((await arrivals()).map(({ amount }) => amount)).size).toBe(said);
      expect(await db.$count(deposit)).toBe(said);
    }
    expect(said).toBeGreaterThan(8);
  });

  it("saves a file whole or not at all, and looks its references through", async () => {
    await nameAddress(db, ADDRESS, "PED-1");
    await sweepOnce(depositWatch, "aurora");
    let files = 0;
    for (let isKilled = true; isKilled;) {
      files += 1;
      await arrive(files);
      await sweepOnce(depositWatch, "aurora");
      const csv = `PED-1;${files}\nPED-2;${files}`;
      isKilled = await killedAt(files, () => importExpected(writer(), { csv }));
      const saved = await db.$count(deposit, eq(deposit.kind, "expected"));
      expect([files * 2 - 2, files * 2]).toContain(saved);
      expect(await audited("deposits.expect")).toBe(saved);
      if (saved < files * 2) await importExpected(writer(), { csv });
      await sweepOnce(depositWatch, "aurora");
      expect((await arrivals()).map(({ standing }) => standing)).toEqual(
        Array.from({ length: files }, () => "arrived"),
      );
      expect(await db.$count(deposit, and(eq(deposit.kind, "expected"), isNull(deposit.standing)))).toBe(files);
    }
    expect(files).toBeGreaterThan(1);
  });
});

const listAs = (told: Record<string, unknown>, createdAt = new Date()) =>
  db.transaction((tx) =>
    saveWallets(tx, "aurora", [
      Wallet.parse({
        id: "forward",
        network: "EVM",
        address: ADDRESS,
        coin: "ETH",
        status: "ACTIVE",
        isForwardPayment: 1,
        createdAt: createdAt.toISOString(),
        ...told,
      }),
    ]),
  );
const causes = async () => (await arrivals()).map(({ standing, cause }) => [standing, cause]);

describe("a reference that the list of wallets tells", () => {
  it("is known of what arrived before and after, and fits what is expected of it", async () => {
    await listAs({});
    await arrive(1);
    await keep();
    expect(await causes()).toEqual([["unattributed", "no-reference"]]);
    await listAs({ reference: " PED-1 " });
    await expectOne(writer(), order("1"));
    await sweepOnce(depositWatch, "aurora");
    expect(await causes()).toEqual([["arrived", null]]);
  });

  it("is sealed, stays as it is when told again, and goes when told no more", async () => {
    expect(await listAs({ reference: "Maria Souza" })).toBe(1);
    const [kept] = await db.select().from(wallet);
    expect(JSON.stringify(kept)).not.toContain("Maria");
    expect(kept === undefined ? null : toldReference(kept)).toBe("Maria Souza");
    expect(await listAs({ reference: "Maria Souza" })).toBe(0);
    expect(await db.select().from(wallet)).toMatchObject([{ referenceSealed: kept?.referenceSealed }]);
    await listAs({});
    expect(await db.select().from(wallet)).toMatchObject([{ referenceSealed: null, referenceHash: null }]);
  });

  it("is not taken in again past the term of retention", async () => {
    await listAs({ reference: "PED-1" }, new Date("1990-01-01T00:00:00Z"));
    expect(await db.select().from(wallet)).toMatchObject([{ referenceSealed: null, referenceHash: null }]);
  });

  it.each([[{}], [""], ["a".repeat(301)], [null]])("is none with %j", async (reference) => {
    await listAs({ reference });
    expect(await db.select().from(wallet)).toMatchObject([{ referenceHash: null }]);
  });
});
