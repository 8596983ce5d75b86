import { expect, it } from "vitest";
import { losslessNumber } from "@/lib/contract/json";
import { reaisToCents } from "@/service/ledger/account";
import { expectBalancedBooks } from "@/test/support/service/ledger";
import { startService } from "@/test/support/service/harness";
import { type Account, balanceOf, openAccount, ted, transfer } from "@/test/support/service/transfers";

const WORKERS = 16;
const TRANSFERS_EACH = 12;
const ACCOUNTS = 10;
const OPENING_REAIS = 400;

it("keeps every cent while sixteen workers cross ten accounts", async () => {
  const service = await startService({ environment: { SERVICE_RATE_LIMIT_PER_MINUTE: "1000000" } });
  const accounts: Account[] = [];
  for (let index = 0; index < ACCOUNTS; index += 1) accounts.push(await openAccount(service, { reais: OPENING_REAIS }));
  const at = (index: number): Account => {
    const account = accounts[index % ACCOUNTS];
    if (!account) throw new Error("no account is open");
    return account;
  };

  let sentAwayCents = 0;
  const statuses = new Map<number, number>();
  const work = async (worker: number): Promise<void> => {
    for (let turn = 0; turn < TRANSFERS_EACH; turn += 1) {
      const from = at(worker + turn);
      const to = at(worker + turn + 1 + ((worker * turn) % (ACCOUNTS - 1)));
      const cents = 1 + ((worker * 7_919 + turn * 104_729) % 40_000);
      const amount = losslessNumber((cents / 100).toFixed(2));
      const leaves = turn % 10 === 9;
      const { status } = leaves
        ? await ted(service, from, { amount })
        : await transfer(service, [from, to], { amount });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (leaves && status === 200) sentAwayCents += cents;
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, (_, worker) => work(worker)));

  expect((statuses.get(200) ?? 0) + (statuses.get(422) ?? 0)).toBe(WORKERS * TRANSFERS_EACH);
  const balances = await Promise.all(accounts.map((account) => balanceOf(service, account)));
  const held = balances.reduce((total, [available]) => total + Number(reaisToCents(available)), 0);
  expect(held + sentAwayCents).toBe(ACCOUNTS * OPENING_REAIS * 100);
  expect(statuses.get(422)).toBeGreaterThan(0);
  await expectBalancedBooks(service.call().db);
});
