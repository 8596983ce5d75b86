import { and, eq, lt, ne, sql } from "drizzle-orm";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { accountsIn, noteAccounts } from "@/lib/accounts/records";
import type { Actor } from "@/lib/permission/grant";
import { provider } from "@/lib/provider/client";
import { getAccounts, listWallets } from "@/lib/provider/operations";
import type { Db } from "@/lib/db/connection";
import { positionRound, positionSum } from "@/lib/db/tables/position";
import { account } from "@/lib/db/tables/customers";
import { remember } from "@/lib/db/watch-state";
import { unitsOf } from "@/lib/text/decimal";
import { civilDaysAgo, civilInstant } from "@/lib/text/time";
import { WALLETS_WATCH, WalletWalk } from "@/lib/wallets/inputs";
import { saveWallets } from "@/lib/wallets/records";
import { fillDemo } from "@/service/demo/demo";
import { BRL, fromUnits } from "@/service/ledger/account";
import { bankAccount, ledgerAccount, ledgerAsset, ledgerEntry, wallet } from "@/service/store/schema";
import { actorOf, givenEnv, givenService, givenStaff, givenStore } from "@/test/support/console";
import { type Harness, START_MS } from "@/test/support/service/harness";
import { positionsRecall } from "./demo";

const tenant = "aurora";
let db: Db;
let service: Harness;
let asked: string[] = [];
let breaksAfter = Number.POSITIVE_INFINITY;
let people: { accountant: Actor<"accounts:read">; treasurer: Actor<"wallets:read">; rater: Actor<"position:rate"> };
let recall: ReturnType<typeof positionsRecall>;

async function listAll(): Promise<void> {
  const period = { initialDate: civilDaysAgo(500), endDate: civilDaysAgo(0), limit: 100 };
  const accounts = await provider.get(people.treasurer, getAccounts, { query: period });
  await noteAccounts(tenant, accountsIn(accounts.answer), new Date());
  const wallets = await provider.get(people.treasurer, listWallets, { query: { limit: 100, offset: 0 } });
  const listed = wallets.answer.data.flatMap((one) => ("unread" in one ? [] : [one]));
  await db.transaction((tx) => saveWallets(tx, tenant, listed));
  await remember(db, { tenant, name: WALLETS_WATCH }, { ...WalletWalk.parse(null), end: "empty" });
}

const note = ({ url }: Request) => {
  if (url.includes("/history")) asked.push(url);
};
const breaking: Parameters<typeof givenService>[1] = (serve) => (request) =>
  asked.length > breaksAfter ? new Response(null, { status: 422 }) : serve(request);

beforeAll(async () => {
  service = await givenService(note, breaking, { SERVICE_RATE_LIMIT_PER_MINUTE: "1000000" });
  await service.advance(Date.now() - START_MS);
  await fillDemo(service.call());
}, 60_000);

beforeEach(async () => {
  givenEnv({ isEmbedded: true });
  db = await givenStore();
  people = {
    accountant: actorOf("approver", await givenStaff(db, "approver"), "accounts:read"),
    treasurer: actorOf("finance", await givenStaff(db, "finance"), "wallets:read"),
    rater: actorOf("finance", await givenStaff(db, "finance"), "position:rate"),
  };
  recall = positionsRecall();
  [asked, breaksAfter] = [[], Number.POSITIVE_INFINITY];
});

async function ledgerAt(day: string): Promise<Record<string, bigint>> {
  const { network, symbol, tokenAddress, decimals, id } = ledgerAsset;
  const total = sql<string>`sum(${ledgerEntry.amount})`;
  const rows = await service
    .call()
    .db.select({ id, network, symbol, tokenAddress, decimals, kind: ledgerAccount.kind, total })
    .from(ledgerEntry)
    .innerJoin(ledgerAccount, eq(ledgerAccount.id, ledgerEntry.accountId))
    .innerJoin(ledgerAsset, eq(ledgerAsset.id, ledgerAccount.assetId))
    .where(
      and(
        sql`${ledgerAccount.holder} in (select ${bankAccount.id}::text from ${bankAccount} union select ${wallet.id}::text from ${wallet})`,
        lt(ledgerEntry.occurredAt, new Date(civilInstant(`${day}T23:59:59`).getTime() + 1_000)),
      ),
    )
    .groupBy(id, network, symbol, tokenAddress, decimals, ledgerAccount.kind);
  return Object.fromEntries(
    rows.flatMap((row): [string, bigint][] => {
      const units = unitsOf(fromUnits(BigInt(row.total), row.decimals));
      const asset = row.id === BRL ? ["", "BRL", ""] : [row.network, row.symbol, row.tokenAddress ?? ""];
      return units === 0n ? [] : [[[...asset, row.kind].join(" "), units]];
    }),
  );
}

async function storedAt(day: string): Promise<Record<string, bigint>> {
  const rows = await db.select().from(positionSum).where(eq(positionSum.day, day));
  const sums = new Map<string, bigint>();
  for (const { network, asset, token, part, amount, unread } of rows) {
    expect(unread).toBe(0);
    const key = [network, asset, token, part].join(" ");
    sums.set(key, (sums.get(key) ?? 0n) + unitsOf(amount ?? ""));
  }
  return Object.fromEntries([...sums].filter(([, units]) => units !== 0n));
}

it("gives the demo sixty days that equal the service's ledger at each end", async () => {
  expect(await recall(db, people)).toBe(false);
  await listAll();
  expect(await recall(db, people)).toBe(true);
  const days = (await db.select().from(positionRound).orderBy(positionRound.day)).map(({ day }) => day);
  expect(days).toEqual(Array.from({ length: 60 }, (_, nth) => civilDaysAgo(60 - nth)));
  for (const day of days) expect([day, await storedAt(day)]).toEqual([day, await ledgerAt(day)]);
  expect(Object.keys(await storedAt(civilDaysAgo(1))).length).toBeGreaterThan(8);
  await db.update(positionSum).set({ amount: "7" });
  expect(await recall(db, people)).toBe(true);
  expect(await db.$count(positionSum, ne(positionSum.amount, "7"))).toBe(0);
});

it("repeats no call after an interruption, and keeps each person's minute share", async () => {
  await listAll();
  breaksAfter = 20;
  await expect(recall(db, people)).rejects.toMatchObject({ kind: "invalid" });
  expect(await db.$count(positionRound)).toBe(0);
  asked.pop();
  breaksAfter = Number.POSITIVE_INFINITY;
  expect(await recall(db, people)).toBe(true);
  expect(new Set(asked).size).toBe(asked.length);
  const ofWallets = asked.filter((url) => url.includes("/crypto/")).length;
  const share = 180 * (10 / 27);
  expect([ofWallets < share, asked.length - ofWallets < share]).toEqual([true, true]);
});

it("keeps the past of a console that read its accounts before today", async () => {
  await listAll();
  await db.update(account).set({ firstSeenAt: civilInstant(`${civilDaysAgo(1)}T12:00:00`) });
  await recall(db, people);
  expect(await db.$count(positionRound)).toBe(0);
});
