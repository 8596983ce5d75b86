import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import type { Db } from "@/lib/db/connection";
import { auditEvent } from "@/lib/db/tables/audit";
import { deposit } from "@/lib/db/tables/deposits";
import { chainMovement, wallet } from "@/lib/db/tables/wallets";
import { AppError } from "@/lib/errors/app-error";
import { civilDaysAgo } from "@/lib/text/time";
import { actorOf, givenEnv, givenStaff, givenStore } from "@/test/support/console";
import { nameAddress } from "@/test/support/deposits";
import { expectOne } from "./expect";
import { handleOne } from "./handle";
import { handlingVersion } from "./handled";
import { ExpectOrder } from "./inputs";
import { keepDeposits } from "./keep";
import { readDeposits } from "./list";
import { readDeposit } from "./record";
import { withdrawOne } from "./withdraw";

const ADDRESS = `0x${"ab".repeat(20)}`;
const SEEN = handlingVersion({ ownerId: null, reason: null, note: null });

let db: Db;
let staffId: string;
const writer = (tenant?: string) => actorOf("finance", staffId, "wallets:label", tenant);
const reader = () => actorOf("finance", staffId, "wallets:read");

beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  staffId = await givenStaff(db, "finance");
  const at = new Date();
  const listed = { tenant: "aurora", id: "forward", family: "EVM", coin: "ETH", status: "ACTIVE", userId: null };
  await db.insert(wallet).values({ ...listed, address: ADDRESS, isForwardPayment: true, createdAt: at, seenAt: at });
  await nameAddress(db, ADDRESS, "PED-1");
});

const keep = () => keepDeposits(db, "aurora", { keys: [{ family: "EVM", addressKey: ADDRESS }] }, new Set());

async function arrive(amount: string) {
  const place = { tenant: "aurora", walletId: "forward", network: "ETHEREUM" as const, ordinal: 0 };
  const moved = { subtype: "incoming", counterAddress: "0x9", amount, at: new Date() };
  await db.insert(chainMovement).values({ ...place, ...moved, hash: `0x${amount}`, key: amount });
}

async function expecting(amount: string, due = ""): Promise<string> {
  await expectOne(writer(), ExpectOrder.parse({ reference: "PED-1", amount, asset: "", network: "", due }));
  const rows = await db.select().from(deposit).where(eq(deposit.kind, "expected"));
  return rows.find((row) => row.amount === amount && row.cause === null)?.id ?? "";
}

const withdrawal = (id: string) => ({ id, reason: "mistyped", seen: SEEN }) as const;
const causes = async () => (await readDeposits(reader(), { view: "all" })).rows.map(({ cause }) => cause);
const audited = () => db.$count(auditEvent, eq(auditEvent.code, "deposits.withdraw"));

const codeOf = (error: unknown) => {
  if (error instanceof AppError) return error.details.code ?? error.kind;
  throw error;
};

describe("what nobody expects any more", () => {
  it("leaves the exceptions, once and on record, however often it is withdrawn", async () => {
    const id = await expecting("5", civilDaysAgo(2));
    expect((await readDeposits(reader())).rows).toHaveLength(1);
    await Promise.all(Array.from({ length: 10 }, () => withdrawOne(writer(), withdrawal(id))));
    expect((await readDeposits(reader(), { view: "all" })).rows).toEqual([]);
    expect((await readDeposit(reader(), id))?.row).toMatchObject({
      class: null,
      cause: "withdrawn",
      reason: "mistyped",
    });
    expect(await audited()).toBe(1);
  });

  it("is expected anew when it is typed again", async () => {
    await withdrawOne(writer(), withdrawal(await expecting("5")));
    const again = await expecting("5");
    await keep();
    expect((await readDeposits(reader(), { view: "expected" })).rows.map(({ id }) => id)).toEqual([again]);
  });

  it("is fulfilled by no arrival, and explains none", async () => {
    const id = await expecting("5");
    await arrive("7");
    await keep();
    expect(await causes()).toContain("other-amount");
    await withdrawOne(writer(), withdrawal(id));
    expect(await causes()).toEqual(["unexpected"]);
    await arrive("5");
    await keep();
    expect(await causes()).toEqual(["unexpected", "unexpected"]);
  });

  it("is refused of what has arrived, was noted on since, or is nobody’s", async () => {
    const id = await expecting("5");
    await handleOne(writer(), { id, owner: "me", reason: null, note: "wait", seen: SEEN });
    expect(await withdrawOne(writer(), withdrawal(id)).catch(codeOf)).toBe("deposit-changed");
    expect(await withdrawOne(writer("boreal"), withdrawal(id)).catch(codeOf)).toBe("not-found");
    await arrive("5");
    await keep();
    expect(await withdrawOne(writer(), withdrawal(id)).catch(codeOf)).toBe("deposit-arrived");
    const [arrival] = await db.select().from(deposit).where(eq(deposit.kind, "arrival"));
    expect(await withdrawOne(writer(), withdrawal(arrival?.id ?? "")).catch(codeOf)).toBe("not-found");
    expect(await audited()).toBe(0);
  });

  it("passes ten notes, sweeps and expectations of its reference", async () => {
    const amounts = Array.from({ length: 10 }, (_, nth) => String(nth + 1));
    const ids: string[] = [];
    for (const amount of amounts) ids.push(await expecting(amount));
    for (const amount of amounts.slice(0, 5)) await arrive(amount);
    const withdrawn = ids.map((id) => withdrawOne(writer(), withdrawal(id)).then(() => "done", codeOf));
    const noted = ids.map((id) =>
      handleOne(writer(), { id, owner: "me", reason: null, note: "x", seen: SEEN }).then(() => "done", codeOf),
    );
    const others = amounts.map((amount) => expecting(`1${amount}`));
    const [ends] = await Promise.all([Promise.all(withdrawn), Promise.all(noted), Promise.all(others), keep(), keep()]);
    await keep();
    const rows = await db.select().from(deposit).where(eq(deposit.cause, "withdrawn"));
    expect(rows).toHaveLength(ends.filter((end) => end === "done").length);
    expect(await audited()).toBe(rows.length);
    const left = await db.select().from(deposit).where(eq(deposit.kind, "arrival"));
    const fulfilled = left.filter(({ expectedId }) => expectedId !== null).map(({ expectedId }) => expectedId);
    expect(rows.filter(({ id }) => fulfilled.includes(id))).toEqual([]);
    expect(left).toHaveLength(5);
  });
});
