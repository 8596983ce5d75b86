import { randomUUID } from "node:crypto";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { and, eq, inArray, sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { lookUp } from "@/lib/accounts/look-up";
import { ENTRY_TYPES } from "@/lib/contract/accounts";
import { completeCpf } from "@/lib/contract/document";
import { losslessNumber } from "@/lib/contract/json";
import { sealDocument } from "@/lib/db/document";
import { account } from "@/lib/db/tables/customers";
import type { Db } from "@/lib/db/connection";
import { bankAccount, ledgerAccount, ledgerEntry, ledgerMovement } from "@/service/store/schema";
import { otherProvider } from "@/test/other-provider";
import { bankAt } from "@/test/support/provider";
import { actorOf, givenEnv, givenService, givenStaff, givenStore } from "@/test/support/console";
import { AURORA, type Harness, startService } from "@/test/support/service/harness";
import { type Account, openAccount, ted, transfer } from "@/test/support/service/transfers";
import { readChunks } from "./chunks";
import { startMovementFile } from "./order";
import { CSV_COLUMNS } from "./sources";
import { movementsWatch } from "./watch";

const TENANTS = 200;
const PERIOD = { from: "2026-03-01", to: "2026-03-31" };

const tenants = Array.from({ length: TENANTS }, (_, n) => ({
  ...AURORA,
  clientId: `tenant-${n}`,
  clientSecret: `secret-${n}`,
  name: `Tenant ${n}`,
}));

/** The same numbers each time: a linear congruential generator. */
function seeded(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor(state / 65_536) % below;
  };
}

const centsOf = (reais: string) => BigInt(reais.replace(".", ""));
const reaisOf = (cents: bigint) => `${cents / 100n}.${String(cents % 100n).padStart(2, "0")}`;
const MAX_DIGITS = 14;

function amountOf(next: (below: number) => number) {
  const digits = Array.from({ length: 1 + next(MAX_DIGITS) }, () => next(10)).join("");
  return losslessNumber(reaisOf(BigInt(digits) + 1n));
}

async function givenMoney(service: Harness, next: (below: number) => number, accounts: readonly Account[]) {
  const any = () => accounts[next(accounts.length)] ?? accounts[0];
  for (let n = 4 + next(8); n > 0; n -= 1) {
    const [from, to] = [any(), any()];
    if (from === undefined || to === undefined) return;
    const amount = amountOf(next);
    const act = next(4);
    if (act < 2) await service.control("POST", `/sandbox/bank-accounts/${from.accountId}/credit`, { amount });
    else if (act === 2) await transfer(service, [from, to], { amount, key: randomUUID() });
    else await ted(service, from, { amount, key: randomUUID() });
  }
  await service.advance(60_000);
}

type Sums = { count: number; in: bigint; out: bigint };
const add = (sums: Sums, units: bigint): Sums => ({
  count: sums.count + 1,
  in: sums.in + (units > 0n ? units : 0n),
  out: sums.out - (units < 0n ? units : 0n),
});
const NOTHING: Sums = { count: 0, in: 0n, out: 0n };

/** What the service's ledger moved for the holders, and what it has for them now. */
async function ledgerOf(service: Harness, clientId: string): Promise<{ sums: Sums; balance: bigint }> {
  const { db } = service.call();
  const ofTenant = and(
    eq(ledgerAccount.assetId, "BRL"),
    inArray(
      ledgerAccount.holder,
      db
        .select({ holder: sql<string>`${bankAccount.id}::text` })
        .from(bankAccount)
        .where(eq(bankAccount.clientId, clientId)),
    ),
  );
  const accounts = await db.select().from(ledgerAccount).where(ofTenant);
  const entries = await db
    .select({ amount: ledgerEntry.amount })
    .from(ledgerEntry)
    .innerJoin(ledgerMovement, eq(ledgerMovement.id, ledgerEntry.movementId))
    .innerJoin(ledgerAccount, eq(ledgerAccount.id, ledgerEntry.accountId))
    .where(and(ofTenant, inArray(ledgerMovement.type, [...ENTRY_TYPES])));
  return {
    sums: entries.reduce((sums, { amount }) => add(sums, amount), NOTHING),
    balance: accounts.reduce((sum, { balance }) => sum + (balance ?? 0n), 0n),
  };
}

const [DIRECTION, AMOUNT] = [CSV_COLUMNS.indexOf("direction"), CSV_COLUMNS.indexOf("amount")];

/** What the rows of a file add up to, and what its head says they do. */
function readFile(text: string): { rows: Sums; head: string | undefined; unread: string | undefined } {
  const lines = text.split("\r\n");
  const rows = lines
    .filter((line) => line.startsWith('"account"'))
    .map((line) => line.split(","))
    .map((cells) => centsOf(cells[AMOUNT] ?? "") * (cells[DIRECTION] === '"in"' ? 1n : -1n))
    .reduce(add, NOTHING);
  return {
    rows,
    head: lines.find((line) => line.startsWith('"# total"')),
    unread: lines.find((line) => line.startsWith('"# unread"')),
  };
}

const headOf = (sums: Sums) =>
  sums.count === 0
    ? undefined
    : `"# total","BRL","count ${sums.count}","in ${reaisOf(sums.in)}","out ${reaisOf(sums.out)}","unsigned 0"`;

let service: Harness;
let staffId = "";
let db: Db;

beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  staffId = await givenStaff(db, "finance");
});

async function givenTenants(): Promise<void> {
  service = await startService({ tenants });
  const clock = { now: () => service.clock.now(), sleep: async () => {} };
  globalThis.retaguardaBanks = new Map(
    tenants.map((tenant, n) => {
      const serve = otherProvider((request) => service.app.request(request), { history: { pageSize: 1 + (n % 5) } });
      return [tenant.clientId, bankAt({ tenant, serve, clock })];
    }),
  );
}

async function exportOf(tenant: string): Promise<AsyncGenerator<Uint8Array>> {
  const id = randomUUID();
  const order = { ...PERIOD, format: "csv", scope: "all", names: "", id } as const;
  await startMovementFile(actorOf("finance", staffId, "statement:export", tenant), order);
  while ((await movementsWatch.sweep(tenant)) === "unfinished");
  return readChunks({ tenant, exportId: id });
}

async function fileOf(tenant: string): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of await exportOf(tenant)) pieces.push(piece);
  return Buffer.concat(pieces).toString("utf8");
}

describe("the control totals of a file", () => {
  it(`equal its rows and the service's ledger for ${TENANTS} seeded tenants`, { timeout: 600_000 }, async () => {
    await givenTenants();
    let entries = 0;
    for (const [seed, tenant] of tenants.entries()) {
      const next = seeded(seed + 1);
      const accounts: Account[] = [];
      for (let n = 1 + next(3); n > 0; n -= 1) accounts.push(await openAccount(service, { tenant }));
      await givenMoney(service, next, accounts);
      const reader = actorOf("finance", staffId, "accounts:read", tenant.clientId);
      for (const { onBoardingId } of accounts) await lookUp(reader, { query: onBoardingId });
      const { rows, head, unread } = readFile(await fileOf(tenant.clientId));
      const ledger = await ledgerOf(service, tenant.clientId);
      expect({ seed, rows, head, unread }).toEqual({
        seed,
        rows: ledger.sums,
        head: headOf(ledger.sums),
        unread: '"# unread",0',
      });
      expect(rows.in - rows.out).toBe(ledger.balance);
      entries += rows.count;
    }
    console.log(`${TENANTS} tenants, ${entries} entries`);
  });
});

const [ACCOUNTS, ENTRIES_EACH] = [300, 334];
const MEGABYTE = 1024 ** 2;

describe("a long file", () => {
  it("of 300 accounts and 100,200 entries is read and given out in flat memory", { timeout: 600_000 }, async () => {
    setFlagsFromString("--expose-gc");
    const collect: unknown = runInNewContext("gc");
    const rows = Array.from({ length: ACCOUNTS }, (_, n) => {
      const ref = randomUUID();
      const sealed = sealDocument({ table: "account", id: ref }, completeCpf(String(320_000_100 + n)));
      return {
        ref,
        tenant: "aurora",
        accountId: `a-${n}`,
        branch: "1",
        number: `${n}`,
        ...sealed,
        firstSeenAt: new Date(),
      };
    });
    await db.insert(account).values(rows);
    let asked = 0;
    const heaps: number[] = [];
    const transactions = Array.from({ length: ENTRIES_EACH }, (_, n) => ({
      transactionId: `t-${n}`,
      type: "PIX",
      amount: 10,
      date: "2026-03-09T12:00:00Z",
      description: "Venda de mercadorias a um cliente",
      direction: n % 2 === 0 ? "CREDIT" : "DEBIT",
    }));
    await givenService(
      () => {},
      (serve) => (request) => {
        if (!new URL(request.url).pathname.endsWith("/history")) return serve(request);
        asked += 1;
        if (asked % 10 === 0) {
          if (typeof collect === "function") collect();
          heaps.push(process.memoryUsage().heapUsed);
        }
        return Response.json({ status: 200, data: { transactions, page: 1, totalPages: 1 } });
      },
    );
    let sizeBytes = 0;
    for await (const piece of await exportOf("aurora")) sizeBytes += piece.length;
    expect(asked).toBe(ACCOUNTS);
    expect(sizeBytes).toBeGreaterThan(10 * MEGABYTE);
    const [early, late] = [Math.max(...heaps.slice(1, 6)), Math.max(...heaps.slice(-5))];
    console.log(`${sizeBytes} bytes; heap ${early / MEGABYTE} MB early, ${late / MEGABYTE} MB late`);
    expect(late - early).toBeLessThan(8 * MEGABYTE);
  });
});
