import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { z } from "zod";
import { CHAIN_FAMILIES, NETWORKS } from "@/lib/contract/crypto";
import { stringifyJson } from "@/lib/contract/json";
import { type Db, db } from "@/lib/db/connection";
import { wallet, walletBalance, walletLabel } from "@/lib/db/tables/wallets";
import { recall, remember } from "@/lib/db/watch-state";
import { AppError } from "@/lib/errors/app-error";
import { log } from "@/lib/log/log";
import { type Actor, watchActor } from "@/lib/permission/grant";
import { isProviderTrouble } from "@/lib/provider/answer";
import { provider } from "@/lib/provider/client";
import { listWallets } from "@/lib/provider/operations";
import { env } from "@/lib/settings/env";
import { sha256 } from "@/lib/text/decode";
import { showBody, type ShownBody } from "@/lib/text/shown-body";
import type { Watch } from "@/lib/watch/watch";
import { followSends } from "./follow-sends";
import { historiesDue, refreshHistory } from "./history";
import { networksOf, WALLETS_WATCH, WalletWalk } from "./inputs";
import { isOutOfTurn, refreshBalance, saveWallets, type WalletNetwork } from "./records";
import { deriveFees } from "./sent-fee";
import { listOlderOrders } from "./sent-order";

const PAGE_LIMIT = 100;
const MAX_UNREAD = 100;
/** Per sweep: the next one continues. */
const MAX_PAGES = 50;
/** The list is walked again when its front or its end changed, and at least this often. */
const WALK_MS = 600_000;
/** Each balance in the rounds is read again within that time, as far as the budget of calls goes. */
const ROUND_MS = 1_200_000;
/** Per sweep, whatever the total; each is a call. */
const MAX_BALANCES = 4;
const MAX_FIRST_BALANCES = 1_000;
const BALANCES_AT_ONCE = 4;

type Walk = { had: Set<string>; unread: Map<string, ShownBody>; offset: number; front: string | null };

type WalkedPage = { entries: number; isKnown: boolean; changed: number; digest: string };

async function readPage(actor: Actor, walk: Walk): Promise<WalkedPage> {
  const { answer } = await provider.get(actor, listWallets, {
    query: { limit: PAGE_LIMIT, offset: walk.offset },
    isPatient: walk.offset > 0,
  });
  const { data } = answer;
  const listed = data.flatMap((one) => ("unread" in one ? [] : [one]));
  const store = await db();
  const changed = await store.transaction((tx) => saveWallets(tx, actor.tenant, listed));
  const marks = data.map((one) => {
    if (!("unread" in one)) return one.id;
    const mark = sha256(stringifyJson(one.unread));
    walk.unread.set(mark, showBody(one.unread));
    return mark;
  });
  const isKnown = marks.every((mark) => walk.had.has(mark));
  for (const mark of marks) walk.had.add(mark);
  walk.offset += data.length;
  return { entries: data.length, isKnown, changed, digest: sha256(marks.join("\n")) };
}

/** The order is not documented, so new wallets may be at the front or at the end. */
async function bringsNews(actor: Actor, walk: Walk, { length, front }: WalletWalk): Promise<boolean> {
  const first = await readPage(actor, walk);
  walk.front = first.digest;
  if (first.changed > 0 || first.digest !== front) return true;
  return (await readPage(actor, { ...walk, had: new Set(), offset: length })).entries > 0;
}

/** Page sizes are undocumented: the list ends at a page that is empty or brings nothing new in this walk. */
async function sweepWallets(actor: Actor): Promise<void> {
  const store = await db();
  const key = { tenant: actor.tenant, name: WALLETS_WATCH };
  const before = WalletWalk.parse(await recall(store, key));
  const walk: Walk = {
    had: new Set(before.had),
    unread: new Map(before.unread.map(({ hash, shape }) => [hash, shape])),
    offset: before.offset,
    front: before.front,
  };
  const isDue = before.walkedAt === null || Date.now() - Date.parse(before.walkedAt) >= WALK_MS;
  const walkedAt = walk.offset === 0 ? new Date().toISOString() : before.walkedAt;
  if (walk.offset === 0 && before.end === "empty" && !isDue && !(await bringsNews(actor, walk, before))) return;
  const unreadOf = (isStill: (hash: string) => boolean) =>
    [...walk.unread].flatMap(([hash, shape]) => (isStill(hash) ? [{ hash, shape }] : [])).slice(-MAX_UNREAD);
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const isFront = walk.offset === 0;
    const { entries, isKnown, digest } = await readPage(actor, walk);
    if (isFront) walk.front = digest;
    if (!isKnown) continue;
    const end = entries === 0 ? ("empty" as const) : ("repeated" as const);
    const length = walk.offset;
    const unread = unreadOf((hash) => walk.had.has(hash));
    await remember(store, key, { offset: 0, had: [], end, unread, length, front: walk.front, walkedAt });
    return;
  }
  const { offset, had, front } = walk;
  await remember(store, key, { ...before, offset, had: [...had], unread: unreadOf(() => true), front, walkedAt });
}

type DueBalance = WalletNetwork & { isFirst: boolean };

const Due = z.object({
  rows: z.array(
    z
      .object({ id: z.string(), address: z.string(), network: z.enum(NETWORKS), isFirst: z.boolean() })
      .transform(({ id, ...one }): DueBalance => ({ walletId: id, ...one })),
  ),
});

const PAIRS = CHAIN_FAMILIES.flatMap((family) => networksOf(family).map((network) => ({ family, network })));

/** Unread ones first; then recent movement counts as ten more minutes of waiting, and a holding as five. */
const waitedSince = sql`balance.tried_at - case
  when balance.moved_at > clock_timestamp() - interval '1 hour' then interval '10 minutes'
  when jsonb_path_exists(balance.entries, '$[*].balance ? (@ like_regex "[1-9]")') then interval '5 minutes'
  else interval '0' end`;

/** A forward wallet is empty by design: beyond that hour the position's reading of each day is enough. */
const isInRounds = sql`(balance.tried_at is null or balance.moved_at > clock_timestamp() - interval '1 hour'
  or not coalesce(one.is_forward_payment, label.use = 'checkout', false))`;

export async function balancesDue(store: Db, tenant: string, intervalMs: number): Promise<DueBalance[]> {
  const pairs = PAIRS.map(({ family, network }) => sql`(${family}::text, ${network}::text)`);
  const all = sql`${wallet} as one join (values ${sql.join(pairs, sql`, `)}) as on_chain (family, network)
      on on_chain.family = one.family
    left join ${walletBalance} as balance
      on balance.tenant = one.tenant and balance.wallet_id = one.id and balance.network = on_chain.network
    left join ${walletLabel} as label on label.tenant = one.tenant and label.wallet_id = one.id
    where one.tenant = ${tenant} and ${isInRounds}`;
  const share = intervalMs / ROUND_MS;
  const found = await store.execute(sql`
    select one.id, one.address, on_chain.network, balance.tried_at is null as "isFirst" from ${all}
    order by (balance.tried_at is null) desc, case when balance.tried_at is null then one.created_at end desc,
      ${waitedSince}, one.id, on_chain.network
    limit (
      select greatest(${MAX_BALANCES}, ceil(count(*) * ${share}::float8),
        least(count(*) filter (where balance.tried_at is null), ${MAX_FIRST_BALANCES}))
      from ${all})`);
  return Due.parse(found).rows;
}

type Tried = { read: number; failed: number };

const LEAST_PAUSE_MS = 100;

/** Null when our own calls are spent for longer than this sweep may take. */
async function readInTurn(actor: Actor, { isFirst, ...one }: DueBalance, untilMs: number) {
  for (;;) {
    const came = await refreshBalance(actor, one, { isPatient: true, isFirst }).then(
      () => "read" as const,
      (error: unknown) => (error instanceof AppError && isOutOfTurn(error) ? error : ("failed" as const)),
    );
    if (typeof came === "string") return came;
    const waitMs = Math.max(came.details.retryAfterMs ?? untilMs, LEAST_PAUSE_MS);
    if (Date.now() + waitMs >= untilMs) return null;
    await sleep(waitMs, undefined, { ref: false });
  }
}

async function refreshBalances(actor: Actor, balances: readonly DueBalance[]): Promise<Tried> {
  const untilMs = Date.now() + env().watchIntervalMs;
  const left = balances.values();
  const tried = { read: 0, failed: 0 };
  async function takeTurns(): Promise<void> {
    for (const one of left) {
      const came = await readInTurn(actor, one, untilMs);
      if (came === null) return;
      tried[came] += 1;
      if (Date.now() >= untilMs) return;
    }
  }
  await Promise.all(Array.from({ length: BALANCES_AT_ONCE }, takeTurns));
  return tried;
}

/** Nobody waits for them: the rest comes with the next sweep. */
async function refreshHistories(actor: Actor<"wallets:read">, due: readonly WalletNetwork[]): Promise<Tried> {
  const tried = { read: 0, failed: 0 };
  for (const one of due) {
    const came = await refreshHistory(actor, one, { isPatient: true }).then(
      () => "read" as const,
      (error: unknown) => (isOutOfTurn(error) ? null : ("failed" as const)),
    );
    if (came === null) return tried;
    tried[came] += 1;
  }
  return tried;
}

export const walletWatch: Watch = {
  name: WALLETS_WATCH,
  topic: "wallets",
  async sweep(tenant) {
    const actor = watchActor("wallets", tenant, "wallets:read");
    const refused = await sweepWallets(actor).then(
      () => null,
      (error: unknown) => {
        if (error instanceof AppError && (isOutOfTurn(error) || !isProviderTrouble(error.kind))) return error;
        throw error;
      },
    );
    await listOlderOrders(await db(), tenant);
    await followSends(actor);
    const due = await balancesDue(await db(), tenant, env().watchIntervalMs);
    const { read, failed } = await refreshBalances(actor, due);
    if (failed > 0) log.warn({ failed, of: read + failed }, "balances could not be read");
    const histories = await refreshHistories(actor, await historiesDue(await db(), tenant));
    if (histories.failed > 0) log.warn(histories, "chain histories could not be read");
    await deriveFees(await db(), tenant);
    if (refused !== null) throw refused;
  },
};
