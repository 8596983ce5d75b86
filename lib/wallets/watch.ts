import { and, eq } from "drizzle-orm";
import { type Actor, watchActor } from "@/lib/auth/grant";
import { bank } from "@/lib/bank/bank";
import { listWallets } from "@/lib/bank/operations";
import { log } from "@/lib/log";
import { wallet, walletBalance } from "@/lib/store/schema";
import { db } from "@/lib/store/store";
import type { Watch } from "@/lib/watch";
import { refreshBalance, saveWallets, type WalletNetwork } from "./records";
import { networksOf } from "./rules";

const PAGE_LIMIT = 100;
const MOST_PAGES = 50;
/** Balances one sweep reads again: one address on one network is a call. */
const MOST_BALANCES = 4;
/** Those never read come first, and more of them at once. */
const MOST_FIRST_BALANCES = 30;

async function sweepWallets(actor: Actor): Promise<void> {
  const store = await db();
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const query = { limit: PAGE_LIMIT, offset: page * PAGE_LIMIT };
    const { answer } = await bank.get(actor, listWallets, { query });
    const { data } = answer;
    await store.transaction((tx) => saveWallets(tx, actor.tenant, data));
    if (data.length < PAGE_LIMIT) return;
  }
}

/** The addresses whose balance was tried longest ago, never tried ones first. */
async function due(tenant: string): Promise<WalletNetwork[]> {
  const store = await db();
  const wallets = await store.select().from(wallet).where(eq(wallet.tenant, tenant));
  const tried = await store
    .select({ walletId: walletBalance.walletId, network: walletBalance.network, triedAt: walletBalance.triedAt })
    .from(walletBalance)
    .where(and(eq(walletBalance.tenant, tenant)));
  const triedAtMs = new Map(tried.map((row) => [`${row.walletId} ${row.network}`, row.triedAt?.getTime() ?? 0]));
  const inTurn = wallets
    .flatMap(({ id, address, family }) =>
      networksOf(family).map((network) => ({
        walletId: id,
        address,
        network,
        atMs: triedAtMs.get(`${id} ${network}`) ?? 0,
      })),
    )
    .toSorted((a, b) => a.atMs - b.atMs);
  const neverRead = inTurn.filter(({ atMs }) => atMs === 0).length;
  return inTurn.slice(0, Math.max(MOST_BALANCES, Math.min(neverRead, MOST_FIRST_BALANCES)));
}

export const walletWatch: Watch = {
  name: "wallets",
  topic: "wallets",
  async sweep(tenant) {
    const actor = watchActor("wallets", tenant, "wallets:read");
    await sweepWallets(actor);
    const refreshed = await Promise.allSettled((await due(tenant)).map((one) => refreshBalance(actor, one)));
    const failed = refreshed.filter(({ status }) => status === "rejected").length;
    if (failed > 0) log.warn({ failed, of: refreshed.length }, "balances could not be read");
  },
};
