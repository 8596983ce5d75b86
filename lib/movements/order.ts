import { and, asc, eq, inArray } from "drizzle-orm";
import { getLocale } from "next-intl/server";
import { record } from "@/lib/audit/record";
import { maskWithin } from "@/lib/contract/document";
import type { Actor } from "@/lib/permission/grant";
import { AppError } from "@/lib/errors/app-error";
import { publish } from "@/lib/db/publish";
import { triggerWatch } from "@/lib/watch/watch";
import { env } from "@/lib/settings/env";
import { storeNow } from "@/lib/db/clock";
import { account } from "@/lib/db/tables/customers";
import { type Db, db } from "@/lib/db/connection";
import { dropChunks } from "./chunks";
import type { Locale } from "@/lib/text/format";
import type { MovementOrder, MovementStart } from "./inputs";
import { movementExport, movementSource } from "@/lib/db/tables/movements";
import type { MovementPlan } from "./view";
import { isSeenBy, mayWallets, refOf } from "./records";
import { listHistories, listUnlisted, type StoredHistory } from "@/lib/wallets/records";
import type { MovementFormat, MovementScope } from "@/lib/db/enums/movements";

type Exporter = Actor<"statement:export">;
type Chosen = Pick<typeof movementSource.$inferInsert, "kind" | "ref" | "label" | "state" | "why">;
/** `names`: as people know it; `asOf`: of a wallet's history. */
type Known = { source: Chosen; names: string[]; asOf?: Date | null };

/** Of each account: its first page, and the one that shows there is no other; OFX says its balance, too. */
const CALLS_OF: Readonly<Record<MovementFormat, number>> = { csv: 2, ofx: 3 };
/** What is left to the watches while people work. */
const IDLE_SHARE = 10 / 27;
const BATCH_ROWS = 500;
const AGES_MAX = 20;

const plain = (typed: string) => typed.replaceAll(/\s/g, "").toLowerCase();

async function listAccounts(store: Db, tenant: string): Promise<Known[]> {
  const rows = await store
    .select({ ref: account.ref, accountId: account.accountId, branch: account.branch, number: account.number })
    .from(account)
    .where(eq(account.tenant, tenant))
    .orderBy(asc(account.branch), asc(account.number), asc(account.ref));
  return rows.map(({ ref, accountId, branch, number }) => ({
    source: { kind: "account", ref, label: `${branch} / ${number}` },
    names: [ref, accountId, number, `${branch}/${number}`],
  }));
}

function unreadBecause({ network }: StoredHistory, format: MovementFormat): string | null {
  if (format === "ofx") return "ofx-has-no-wallets";
  return network === null ? "network-unknown" : null;
}

const asUnread = (why: string | null): Partial<Chosen> => (why === null ? {} : { state: "UNREAD", why });

/** What is listed without being understood is named, too. */
async function listWallets(store: Db, tenant: string, format: MovementFormat): Promise<Known[]> {
  const histories = (await listHistories(store, tenant)).map((one): Known => {
    const { walletId, address, family, label, network, asOf } = one;
    const source = { kind: "wallet" as const, ref: refOf(one), label: `${network ?? family} / ${address}` };
    return {
      source: { ...source, ...asUnread(unreadBecause(one, format)) },
      names: [walletId, address, label ?? ""],
      asOf,
    };
  });
  const unlisted = (await listUnlisted(store, tenant)).map((hash): Known => {
    const source = { kind: "wallet" as const, ref: refOf({ walletId: hash, network: null }), label: `? / ${hash}` };
    return { source: { ...source, ...asUnread("wallet-unreadable") }, names: [], asOf: null };
  });
  return [...histories, ...unlisted];
}

type Choice = { accounts: Known[]; wallets: Known[]; unknown: string[]; scope: MovementScope };

/** Who may not see wallets chooses among accounts. */
async function choose(store: Db, actor: Exporter, { scope, format, names }: MovementOrder): Promise<Choice> {
  const hasWallets = mayWallets(actor);
  const accounts = scope === "wallets" ? [] : await listAccounts(store, actor.tenant);
  const wallets = scope === "accounts" || !hasWallets ? [] : await listWallets(store, actor.tenant, format);
  if (scope !== "chosen")
    return { accounts, wallets, unknown: [], scope: scope === "all" && !hasWallets ? "accounts" : scope };
  const wanted = new Map(
    names
      .split(/[\n,;]/)
      .map((one) => [plain(one), maskWithin(one.trim())] as const)
      .filter(([name]) => name !== ""),
  );
  const fits = (one: Known) => one.names.some((name) => wanted.has(plain(name)));
  const [chosen, held] = [accounts.filter(fits), wallets.filter(fits)];
  const known = new Set([...chosen, ...held].flatMap((one) => one.names.map(plain)));
  const unknown = [...wanted].flatMap(([name, shown]) => (known.has(name) ? [] : [shown]));
  return { accounts: chosen, wallets: held, unknown, scope };
}

function costOf(accounts: number, format: MovementFormat): Pick<MovementPlan, "calls" | "minutes"> {
  const calls = accounts * CALLS_OF[format];
  return { calls, minutes: Math.max(1, Math.round(calls / (env().callsPerMinute * IDLE_SHARE))) };
}

const sinceMs = ({ asOf }: Known) => asOf?.getTime() ?? 0;

/** What a file costs at the least: long statements have more pages. Wallets cost nothing, and are as old as their histories. */
export async function planMovementFile(actor: Exporter, order: MovementOrder): Promise<MovementPlan> {
  const { accounts, wallets, unknown } = await choose(await db(), actor, order);
  const oldest = wallets.toSorted((one, other) => sinceMs(one) - sinceMs(other)).slice(0, AGES_MAX);
  return {
    accounts: accounts.length,
    wallets: wallets.length,
    neverRead: wallets.filter(({ asOf }) => asOf === null).length,
    histories: oldest.map(({ source, asOf }) => ({ label: source.label, asOf: asOf?.toISOString() ?? null })),
    ...costOf(accounts.length, order.format),
    unknown,
  };
}

/** Idempotent by its id. `spoken`: by default the reader's. Throws not-found where a name fits nothing, or nothing can be read. */
export async function startMovementFile(actor: Exporter, order: MovementStart, spoken?: Locale): Promise<null> {
  const { tenant, id: staffId } = actor;
  const { id, from, to, format } = order;
  const store = await db();
  const { accounts, wallets, unknown, scope } = await choose(store, actor, order);
  const chosen = [...accounts, ...wallets].map(({ source }) => source);
  if (unknown.length > 0 || chosen.every(({ state }) => state === "UNREAD")) throw new AppError("not-found");
  const { calls: plannedCalls, minutes: plannedMinutes } = costOf(accounts.length, format);
  const locale = spoken ?? (await getLocale());
  await store.transaction(async (tx) => {
    const wanted = { tenant, id, staffId, format, fromDay: from, toDay: to, scope, locale } as const;
    const [begun] = await tx
      .insert(movementExport)
      .values({ ...wanted, plannedCalls, plannedMinutes })
      .onConflictDoNothing()
      .returning({ id: movementExport.id });
    if (begun === undefined) return;
    const sources = chosen.map((one, at) => ({ tenant, exportId: id, position: at + 1, ...one }));
    for (let at = 0; at < sources.length; at += BATCH_ROWS)
      await tx.insert(movementSource).values(sources.slice(at, at + BATCH_ROWS));
    await publish(tx, { tenant, topic: "movements", object: id });
    const detail = { exportId: id, format, from, to, scope, sources: sources.length };
    await record(tx, { tenant, actor: staffId, code: "movements.start", outcome: "DONE", detail });
  });
  await triggerWatch(tenant, "movements");
  return null;
}

/** Whoever may export may stop it; what was read goes. Throws not-found once it ended. */
export async function stopMovementFile(exporter: Exporter, { id }: { id: string }): Promise<null> {
  const { tenant, id: actor } = exporter;
  const store = await db();
  await store.transaction(async (tx) => {
    const isOpen = inArray(movementExport.state, ["WAITING", "RUNNING"]);
    const [stopped] = await tx
      .update(movementExport)
      .set({ state: "STOPPED", finishedAt: await storeNow(tx) })
      .where(and(eq(movementExport.tenant, tenant), eq(movementExport.id, id), isOpen, isSeenBy(exporter)))
      .returning({ id: movementExport.id });
    if (stopped === undefined) throw new AppError("not-found");
    await publish(tx, { tenant, topic: "movements", object: id });
    await record(tx, { tenant, actor, code: "movements.stop", outcome: "DONE", detail: { exportId: id } });
  });
  await dropChunks({ tenant, exportId: id });
  return null;
}
