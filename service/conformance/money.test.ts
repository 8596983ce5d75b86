import { afterEach, beforeEach, expect, test } from "vitest";
import { ENTRY_TYPES, History } from "@/lib/contract/accounts";
import { expectBalancedBooks } from "@/test/support/service/ledger";
import {
  type Account,
  balanceOf,
  heldId,
  openAccount,
  statementOf,
  ted,
  transfer,
} from "@/test/support/service/transfers";
import { type Harness, startService } from "@/test/support/service/harness";

let service: Harness;
let account: Account;
beforeEach(async () => {
  service = await startService();
  account = await openAccount(service);
});
afterEach(() => expectBalancedBooks(service.call().db));

const credit = (fields: Record<string, unknown>) =>
  service.control("POST", `/sandbox/bank-accounts/${account.accountId}/credit`, { amount: 1, ...fields });

test("shows every type of entry in a statement", async () => {
  for (const type of ENTRY_TYPES) await credit({ type });
  expect((await statementOf(service, account)).map(({ type }) => type)).toEqual(ENTRY_TYPES.toReversed());
});

test("pages a statement by 50 unless told", async () => {
  for (let count = 0; count < 51; count += 1) await credit({});
  const { accountId, documentNumber } = account;
  const query = new URLSearchParams({ accountId, documentNumber, initialDate: "2026-03-10", endDate: "2026-03-10" });
  const { data } = History.parse((await service.send("GET", `/v1/bank-accounts/history?${query}`)).body);
  expect([data.transactions.length, data.page, data.totalPages]).toEqual([50, 1, 2]);
});

test("keeps balance and blockedBalance equal to the statement's sum during holds", async () => {
  const other = await openAccount(service);
  await credit({ amount: 50_000.05 });
  await ted(service, account, { amount: 0.04 });
  await transfer(service, [account, other], { amount: 10_000 });
  const released = heldId(await ted(service, account, { amount: 20_000 }));
  expect(await balanceOf(service, account)).toEqual(["20000.01", "30000.00"]);
  await service.control("POST", `/sandbox/transactions/${released}`, { decision: "RELEASE" });
  expect(await balanceOf(service, account)).toEqual(["20000.01", "10000.00"]);
  await service.advance(24 * 3_600_000);
  expect(await balanceOf(service, account)).toEqual(["30000.01", "0.00"]);
  expect((await statementOf(service, account)).map(({ amount, direction }) => [amount, direction])).toEqual([
    ["20000.00", "DEBIT"],
    ["0.04", "DEBIT"],
    ["50000.05", "CREDIT"],
  ]);
});

test("gives a held transaction's deadline in ISO 8601, 24 hours ahead", async () => {
  await credit({ amount: 20_000 });
  const { body } = await ted(service, account, { amount: 10_000 });
  const pendingExpiresAt = new Date(service.clock.now() + 24 * 3_600_000).toISOString();
  expect(body).toMatchObject({ pendingExpiresAt });
});
