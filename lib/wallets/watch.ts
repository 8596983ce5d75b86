import { and, eq } from "drizzle-orm";
import { type Actor, watchActor } from "@/lib/auth/grant";
import { bank } from "@/lib/bank/client";
import { intents } from "@/lib/bank/intent";
import { listWallets } from "@/lib/bank/operations";
import { stringifyJson } from "@/lib/contract/json";
import { env } from "@/lib/settings/env";
import { sha256 } from "@/lib/text/hash";
import { log } from "@/lib/process/log";
import type { OutcomeKind, OutcomeSubject } from "@/lib/outcomes/queries";
import type { Intent } from "@/lib/bank/intent-record";
import { wallet, walletBalance } from "./schema";
import { showBody } from "@/lib/text/shown-body";
import { type Db, db, type Tx } from "@/lib/store/store";
import { recall, remember } from "@/lib/store/watch-state";
import type { Watch } from "@/lib/process/watch";
import { refreshBalance, saveWallets, type WalletNetwork } from "./records";
import { networksOf, WALLETS_WATCH, WalletWalk } from "./rules";
import { cryptoTransfer } from "./approvals";

const PAGE_LIMIT = 100;
const MOST_UNREAD = 100;
const MOST_PAGES = 50;
/** Per sweep; each is a call. */
const MOST_BALANCES = 4;
/** Never read ones come first, and more of them. */
const MOST_FIRST_BALANCES = 30;
/** The other watches wait in the same line. */
const BALANCES_AT_ONCE = 2;

/** Page sizes are undocumented: the list ends when a page is empty, or brings only what this walk has seen. */
async function sweepWallets(actor: Actor): Promise<void> {
  const store = await db();
  const key = { tenant: actor.tenant, name: WALLETS_WATCH };
  const before = WalletWalk.parse(await recall(store, key));
  let { offset } = before;
  const had = new Set(before.had);
  const unread = new Map(before.unread.map(({ hash, shape }) => [hash, shape]));
  const unreadOf = (isStill: (hash: string) => boolean) =>
    [...unread].flatMap(([hash, shape]) => (isStill(hash) ? [{ hash, shape }] : [])).slice(-MOST_UNREAD);
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const { answer } = await bank.get(actor, listWallets, { query: { limit: PAGE_LIMIT, offset } });
    const { data } = answer;
    const listed = data.flatMap((one) => ("unread" in one ? [] : [one]));
    await store.transaction((tx) => saveWallets(tx, actor.tenant, listed));
    const marks = data.map((one) => {
      if (!("unread" in one)) return one.id;
      const mark = sha256(stringifyJson(one.unread));
      unread.set(mark, showBody(one.unread));
      return mark;
    });
    if (marks.every((mark) => had.has(mark))) {
      const end = data.length === 0 ? "empty" : "repeated";
      await remember(store, key, { offset: 0, had: [], end, unread: unreadOf((hash) => had.has(hash)) });
      return;
    }
    for (const mark of marks) had.add(mark);
    offset += data.length;
  }
  await remember(store, key, { offset, had: [...had], end: before.end, unread: unreadOf(() => true) });
}

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

async function refreshBalances(actor: Actor, balances: readonly WalletNetwork[]) {
  const untilMs = Date.now() + env().watchIntervalMs;
  const left = balances.values();
  const tried: PromiseSettledResult<void>[] = [];
  async function takeTurns(): Promise<void> {
    for (const one of left) {
      tried.push(...(await Promise.allSettled([refreshBalance(actor, one)])));
      if (Date.now() >= untilMs) return;
    }
  }
  await Promise.all(Array.from({ length: BALANCES_AT_ONCE }, takeTurns));
  return tried;
}

export const reconcileCryptoTransfers = (tenant: string): Promise<void> =>
  intents.reconcile(watchActor("wallets", tenant, "wallets:read"), [cryptoTransfer]);

async function describeCrypto(store: Db | Tx, { tenant, object }: Intent): Promise<OutcomeSubject> {
  const id = object.replace("wallet:", "");
  const [row] = await store
    .select({ address: wallet.address })
    .from(wallet)
    .where(and(eq(wallet.tenant, tenant), eq(wallet.id, id)));
  const href = row === undefined ? null : `/wallets/${encodeURIComponent(id)}`;
  return { subject: row?.address ?? id, amount: null, href };
}

export const cryptoOutcome: OutcomeKind = {
  name: "crypto.transfer",
  intent: cryptoTransfer,
  permission: "crypto-transfers:create",
  needsApproval: true,
  describe: describeCrypto,
};

export const walletWatch: Watch = {
  name: WALLETS_WATCH,
  topic: "wallets",
  async sweep(tenant) {
    await reconcileCryptoTransfers(tenant);
    const actor = watchActor("wallets", tenant, "wallets:read");
    await sweepWallets(actor);
    const tried = await refreshBalances(actor, await due(tenant));
    const failed = tried.filter(({ status }) => status === "rejected").length;
    if (failed > 0) log.warn({ failed, of: tried.length }, "balances could not be read");
  },
};
