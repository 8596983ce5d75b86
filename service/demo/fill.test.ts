import { eq, sum } from "drizzle-orm";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { Balance, History } from "@/lib/contract/accounts";
import { CHAIN_FAMILIES, FAMILY_NETWORKS, WalletBalance, Wallets } from "@/lib/contract/crypto";
import { isCnpj, isCpf } from "@/lib/contract/document";
import { OnboardingRecord } from "@/lib/contract/onboarding";
import {
  bankAccount,
  kycProcess,
  ledgerAccount,
  ledgerEntry,
  ledgerMovement,
  onboarding,
  otcTrade,
  webhookEvent,
} from "@/service/store/schema";

import { AccountList } from "@/service/gateway/assumed-answers";
import { expectBalancedBooks } from "@/test/support/service/ledger";
import { type Harness, START_MS, startService } from "@/test/support/service/harness";
import { fillDemo, KNOWN_TRADE } from "./demo";
import { KNOWN_HOLDER } from "./people";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const isWeekend = ({ occurredAt }: { occurredAt: Date }) =>
  [0, 6].includes(new Date(occurredAt.getTime() - 3 * HOUR_MS).getUTCDay());

let service: Harness;

// Filled once, as every test here only reads.
beforeAll(async () => {
  service = await startService();
  await fillDemo(service.call());
}, 60_000);
afterEach(() => expectBalancedBooks(service.call().db));

const tally = (words: readonly string[]) =>
  Object.fromEntries([...new Set(words)].map((word) => [word, words.filter((other) => other === word).length]));

async function statementOf(accountId: string, documentNumber: string) {
  const common = `accountId=${accountId}&documentNumber=${documentNumber}`;
  const period = "initialDate=2025-01-01&endDate=2026-03-10&limit=500";
  const path = `/v1/bank-accounts/history?${common}&${period}`;
  const first = History.parse((await service.send("GET", path)).body).data;
  const pages = [first];
  for (let page = 2; page <= (first.totalPages ?? 1); page += 1)
    pages.push(History.parse((await service.send("GET", `${path}&page=${page}`)).body).data);
  const balance = Balance.parse((await service.send("GET", `/v1/bank-accounts/balance?${common}`)).body).data;
  return { entries: pages.flatMap(({ transactions }) => transactions), balance };
}

const cents = (reais: string) => BigInt(reais.replace(".", ""));

describe("the demo's onboardings", () => {
  it("creates forty or more onboardings in every state, with valid documents", async () => {
    const rows = await service.call().db.select().from(onboarding);
    const states = tally(rows.map(({ status }) => status));
    expect(rows.length).toBeGreaterThanOrEqual(40);
    expect(states).toMatchObject({ CONFIRMED: expect.any(Number), ERROR: expect.any(Number) });
    expect(rows.filter((row) => row.status === "PROCESSING" && row.biometricUrl !== null).length).toBeGreaterThan(2);
    expect(rows.filter((row) => row.status === "PROCESSING" && row.biometricUrl === null).length).toBeGreaterThan(2);
    expect(rows.filter((row) => row.messages.some((message) => message.url)).length).toBeGreaterThan(2);
    expect(rows.every(({ documentNumber }) => isCpf(documentNumber) || isCnpj(documentNumber))).toBe(true);
    expect(new Set(rows.map(({ documentNumber }) => documentNumber)).size).toBe(rows.length);
    expect(rows.some(({ documentNumber }) => /[A-Z]/.test(documentNumber))).toBe(true);
    expect(rows.every(({ createdAt }) => createdAt.getTime() <= START_MS)).toBe(true);
  });

  it("creates onboardings in the interface's shape, with the known holder's", async () => {
    const rows = await service.call().db.select().from(onboarding);
    for (const { documentNumber } of rows) {
      const path = `/v1/bank-accounts/checkOnboarding?onBoardingId=${documentNumber}`;
      expect(OnboardingRecord.safeParse((await service.send("GET", path)).body).success).toBe(true);
    }
    const [known] = rows.filter(({ documentNumber }) => documentNumber === KNOWN_HOLDER.documentNumber);
    expect(known).toMatchObject({ status: "CONFIRMED", holderName: KNOWN_HOLDER.fullName });
  });
});

describe("the demo's accounts", () => {
  it("creates thirty or more accounts whose statements add up to their balance", async () => {
    const accounts = await service.call().db.select().from(bankAccount);
    expect(accounts.length).toBeGreaterThanOrEqual(30);
    let withHolds = 0;
    for (const { id, documentNumber } of accounts) {
      const { entries, balance } = await statementOf(id, documentNumber);
      const total = entries.reduce((left, { amount, direction }) => {
        return direction === "CREDIT" ? left + cents(amount) : left - cents(amount);
      }, 0n);
      expect(total).toBe(cents(balance.balance) + cents(balance.blockedBalance));
      withHolds += balance.blockedBalance === "0.00" ? 0 : 1;
    }
    expect(withHolds).toBeGreaterThanOrEqual(3);
  });

  it("fills most demo accounts for ninety days with every kind of entry", async () => {
    const { db } = service.call();
    const movements = await db.select().from(ledgerMovement);
    expect(Object.keys(tally(movements.map(({ type }) => type)))).toEqual(
      expect.arrayContaining(["PIX", "TED", "INTERNAL", "FEE"]),
    );
    const entries = await db.select().from(ledgerEntry).where(eq(ledgerEntry.sequence, 1));
    const old = entries.filter(({ occurredAt }) => occurredAt.getTime() < START_MS - 89 * DAY_MS);
    expect(old.length).toBeGreaterThanOrEqual(30);
  });

  it("names each demo account's own user, in the list and in the record", async () => {
    const period = "initialDate=2024-12-01&endDate=2026-03-10&limit=100";
    const reply = await service.send("GET", `/v1/bank-accounts/getAccounts?${period}`);
    const { accounts } = AccountList.parse(reply.body).data;
    const users = accounts.map(({ userId }) => userId);
    expect(users).not.toContain(undefined);
    expect(new Set(users).size).toBe(accounts.length);
    const known = accounts.find(({ documentNumber }) => documentNumber === KNOWN_HOLDER.documentNumber);
    const asked = `accountId=${known?.accountId}&documentNumber=${KNOWN_HOLDER.documentNumber}`;
    const info = await service.send("GET", `/v1/bank-accounts/getAccountInfoNaturalPerson?${asked}`);
    expect(info).toMatchObject({ status: 200, body: { data: { userId: "usr-1042" } } });
    expect(info.body).not.toHaveProperty("data.person.userId");
  });

  it("books TEDs only on business days, and fewer company sales on weekends", async () => {
    const movements = await service.call().db.select().from(ledgerMovement);
    expect(movements.filter(({ type }) => type === "TED").some(isWeekend)).toBe(false);
    const sales = movements.filter(({ description }) => description.startsWith("Venda"));
    expect(sales.filter(isWeekend).length).toBeLessThan(sales.length / 5);
    expect(movements.every(({ occurredAt }) => occurredAt.getTime() < START_MS)).toBe(true);
  });

  it("moves money on each of the last sixty days", async () => {
    const movements = await service.call().db.select().from(ledgerMovement);
    const days = new Set(movements.map(({ occurredAt }) => Math.floor((START_MS - occurredAt.getTime()) / DAY_MS)));
    for (let daysBack = 0; daysBack < 60; daysBack += 1) expect(days).toContain(daysBack);
  });

  it("gives the known holder a long statement", async () => {
    const isKnown = eq(bankAccount.documentNumber, KNOWN_HOLDER.documentNumber);
    const [account] = await service.call().db.select().from(bankAccount).where(isKnown);
    const { entries } = await statementOf(account?.id ?? "", KNOWN_HOLDER.documentNumber);
    expect(entries.length).toBeGreaterThan(120);
  });
});

describe("the demo's closed accounts", () => {
  it("closes a few empty accounts, each with a reason after its last movement", async () => {
    const closed = await service.call().db.select().from(bankAccount).where(eq(bankAccount.status, "CLOSED"));
    expect(closed.length).toBeGreaterThanOrEqual(2);
    for (const { id, documentNumber, closedAt, closingReason } of closed) {
      const { entries, balance } = await statementOf(id, documentNumber);
      expect([balance.balance, balance.blockedBalance, closingReason]).toEqual(["0.00", "0.00", expect.any(String)]);
      expect(entries.length).toBeGreaterThan(5);
      expect(Date.parse(entries[0]?.date ?? "")).toBeLessThan(closedAt?.getTime() ?? 0);
    }
  });
});

describe("the demo's trades", () => {
  it("finds the demo's trades by their ids", async () => {
    const trades = await service.call().db.select().from(otcTrade);
    expect(Object.keys(tally(trades.map(({ status }) => status)))).toHaveLength(2);
    expect(trades.map(({ id }) => id)).toContain(KNOWN_TRADE);
    for (const { id } of trades)
      expect(await service.send("GET", `/v1/otc/trades/${id}`)).toMatchObject({ status: 200, body: { data: { id } } });
  });
});

describe("the demo's KYC processes", () => {
  it("creates sixty or more processes in all states, with valid documents", async () => {
    const rows = await service.call().db.select().from(kycProcess);
    expect(rows.length).toBeGreaterThanOrEqual(60);
    expect(Object.keys(tally(rows.map(({ status }) => status))).toSorted((a, b) => a.localeCompare(b))).toEqual([
      "APPROVED",
      "PENDING",
      "PROCESSING",
      "REPROVED",
    ]);
    expect(Object.keys(tally(rows.map(({ process }) => process)))).toHaveLength(2);
    expect(rows.every(({ vatNumber, kycType }) => (kycType === "PF" ? isCpf : isCnpj)(vatNumber))).toBe(true);
    const days = new Set(rows.map(({ createdAt }) => createdAt.toISOString().slice(0, 10)));
    expect(days.size).toBeGreaterThan(10);
  });
});

describe("the demo's wallets", () => {
  it("creates three or more wallets per family, some forwarding, with tokens", async () => {
    const wallets = Wallets.parse((await service.send("GET", "/v1/crypto/wallets?limit=500")).body).data;
    const assets = new Set<string>();
    for (const family of CHAIN_FAMILIES) {
      const own = wallets.filter(({ network }) => network === family);
      expect(own.length).toBeGreaterThanOrEqual(3);
      expect(tally(own.map(({ isForwardPayment }) => String(isForwardPayment)))).toMatchObject({ 1: 1 });
      for (const { address } of own)
        for (const network of FAMILY_NETWORKS[family]) {
          const path = `/v1/crypto/wallets/${address}/balance?network=${network}`;
          const entries = WalletBalance.parse((await service.send("GET", path)).body).data;
          for (const { asset, balance } of entries) if (balance !== "0") assets.add(asset);
        }
    }
    expect([...assets]).toEqual(expect.arrayContaining(["BTC", "TRX", "SOL", "XRP", "USDT", "USDC"]));
  });
});

describe("filling", () => {
  it("fills the demo once, without a webhook or a negative balance", async () => {
    const { db } = service.call();
    const [before] = await db.select({ total: sum(ledgerAccount.entryCount) }).from(ledgerAccount);
    expect(await fillDemo(service.call())).toBe(false);
    const [after] = await db.select({ total: sum(ledgerAccount.entryCount) }).from(ledgerAccount);
    expect(after).toEqual(before);
    expect(await db.$count(webhookEvent)).toBe(0);
  });
});
