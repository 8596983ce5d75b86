import { randomUUID } from "node:crypto";
import type { Db } from "@/lib/db/connection";
import { sealDocument } from "@/lib/db/document";
import { account } from "@/lib/db/tables/customers";
import { wallet } from "@/lib/db/tables/wallets";
import { AURORA } from "@/test/support/service/harness";

const ROWS_AT_ONCE = 1_000;

const tenant = AURORA.clientId;

async function insertAll<Row>(rows: readonly Row[], insert: (some: Row[]) => PromiseLike<unknown>): Promise<void> {
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) await insert(rows.slice(at, at + ROWS_AT_ONCE));
}

/** That many subjects without calls to a provider; each wallet is on one network. */
export async function givenSubjects(db: Db, { accounts, wallets }: { accounts: number; wallets: number }) {
  const at = new Date();
  const opened = Array.from({ length: accounts }, (_, nth) => {
    const ref = randomUUID();
    const named = { accountId: `account-${nth}`, branch: "0001", number: String(nth), firstSeenAt: at };
    return { tenant, ref, ...named, ...sealDocument({ table: "account", id: ref }, "12345678909") };
  });
  const made = Array.from({ length: wallets }, (_, nth) => {
    const named = { id: `wallet-${nth}`, address: `address-${nth}`, family: "BTC", coin: "BTC", status: "ACTIVE" };
    return { tenant, ...named, isForwardPayment: false, createdAt: at, seenAt: at };
  });
  await insertAll(opened, (rows) => db.insert(account).values(rows));
  await insertAll(made, (rows) => db.insert(wallet).values(rows));
}

const ACCOUNT = "/v1/bank-accounts/balance";
const WALLET = /^\/v1\/crypto\/wallets\/([^/]+)\/balance$/;

/** The account or address whose balance a call requests. */
export function balanceAsked(url: string): string | null {
  const { pathname, searchParams } = new URL(url, "http://provider.test");
  return pathname === ACCOUNT ? searchParams.get("accountId") : (WALLET.exec(pathname)?.[1] ?? null);
}

/** A provider with only tokens and balances: each account holds one real, each wallet one and a half coins. */
export function answerBalance(url: string) {
  const asked = balanceAsked(url);
  if (asked === null)
    return { access_token: "token", token_type: "Bearer", expires_in: 3_600, issued_at: "", scope: "" };
  if (!WALLET.test(new URL(url, "http://provider.test").pathname))
    return { status: "SUCCESS", data: { accountId: asked, balance: 1, blockedBalance: 0 } };
  return { success: true, data: [{ address: asked, asset: "BTC", decimals: 8, balance: "1.5" }] };
}
