import { createHash } from "node:crypto";
import { and, desc, eq, gt, inArray, or, type SQL, sql } from "drizzle-orm";
import { getLocale } from "next-intl/server";
import { record } from "@/lib/audit/record";
import { maskWithin } from "@/lib/contract/document";
import type { Actor } from "@/lib/permission/grant";
import { AppError } from "@/lib/errors/app-error";
import { publish } from "@/lib/db/publish";
import { triggerWatch } from "@/lib/watch/watch";
import { storeNow, storeTimeBefore } from "@/lib/db/clock";
import { holdLock } from "@/lib/db/lock";
import { type Db, db, type Tx } from "@/lib/db/connection";
import { idleMinutes } from "@/lib/provider/idle-minutes";
import { claimIntent } from "@/lib/provider/intents/claim";
import { civilDay, DAY_MS } from "@/lib/text/time";
import { dropChunks } from "./chunks";
import { refuseLargeZip } from "./file";
import type { Locale } from "@/lib/text/format";
import type { MovementOrder, MovementStart } from "./inputs";
import { movementExport, movementSource } from "@/lib/db/tables/movements";
import type { MovementPlan } from "./view";
import {
  type Chosen,
  type Find,
  finderOf,
  listAccountSources,
  listWalletSources,
  plainName,
  type PlannedSource,
} from "./known-sources";
import { isMadeAfter, isSeenBy, MADE_LATER, mayWallets } from "./records";
import { type MovementFormat, type MovementScope, OPEN_STATES } from "@/lib/db/enums/movements";
import { turnsOf } from "@/lib/turns";

type Exporter = Actor<"statement:export">;
/** For each account: its first page, and the one that shows there is no other; OFX needs its balance, too. */
const CALLS_OF: Readonly<Record<MovementFormat, number>> = { csv: 2, ofx: 3 };
const BATCH_ROWS = 500;
const AGES_MAX = 20;

function wantedIn(text: string, find: Find): string[] {
  const names = text.split(/\r\n|\r|\n/).flatMap((line) => (find(line).length > 0 ? [line] : line.split(/[,;\t]/)));
  return [...new Map(names.map((name) => [plainName(name), name.trim()] as const)).entries()].flatMap(([key, name]) =>
    key === "" ? [] : [name],
  );
}

type Choice = { accounts: PlannedSource[]; wallets: PlannedSource[]; unknown: string[]; scope: MovementScope };

/** Without permission to see wallets, only accounts can be chosen. */
async function choose(store: Db, actor: Exporter, { scope, names, ...wanted }: MovementOrder): Promise<Choice> {
  const hasWallets = mayWallets(actor);
  const accounts = scope === "wallets" ? [] : await listAccountSources(store, actor.tenant);
  const wallets = scope === "accounts" || !hasWallets ? [] : await listWalletSources(store, actor.tenant, wanted);
  if (scope !== "chosen")
    return { accounts, wallets, unknown: [], scope: scope === "all" && !hasWallets ? "accounts" : scope };
  const find = finderOf([...accounts, ...wallets]);
  const found = wantedIn(names, find).map((name) => ({ name, fitting: find(name) }));
  const chosen = new Set(found.flatMap(({ fitting }) => fitting));
  const unknown = found.flatMap(({ name, fitting }) => (fitting.length === 0 ? [maskWithin(name)] : []));
  return {
    accounts: accounts.filter((one) => chosen.has(one)),
    wallets: wallets.filter((one) => chosen.has(one)),
    unknown,
    scope,
  };
}

function costOf(accounts: number, format: MovementFormat): Pick<MovementPlan, "calls" | "minutes"> {
  const calls = accounts * CALLS_OF[format];
  return { calls, minutes: idleMinutes(calls) };
}

const sinceMs = ({ asOf }: PlannedSource) => asOf?.getTime() ?? 0;

/** Each plan reads thousands of rows, so they run one after the other. */
const inTurn = turnsOf(1);

/** The minimum cost of a file, as long statements have more pages. Wallets cost nothing, and are as old as their histories. Throws invalid `movement-file-large`. */
export async function planMovementFile(actor: Exporter, order: MovementOrder): Promise<MovementPlan> {
  const store = await db();
  const { accounts, wallets, unknown } = await inTurn(actor.tenant, () => choose(store, actor, order));
  if (order.format === "ofx") refuseLargeZip({ entries: accounts.length, sizeBytes: 0 });
  const awaited = wallets.filter(({ asOf, madeAt = null }) => asOf !== null || !isMadeAfter(madeAt, order.to));
  const oldest = awaited.toSorted((one, other) => sinceMs(one) - sinceMs(other)).slice(0, AGES_MAX);
  return {
    accounts: accounts.length,
    wallets: wallets.length,
    neverRead: awaited.filter(({ asOf }) => asOf === null).length,
    histories: oldest.map(({ source, asOf }) => ({ label: source.label, asOf: asOf?.toISOString() ?? null })),
    ...costOf(accounts.length, order.format),
    unknown,
  };
}

const OPEN_OF_PERSON = 2;
const OPEN_OF_TENANT = 10;

const isOpen = inArray(movementExport.state, [...OPEN_STATES]);

async function refuseBeyondBounds(tx: Tx, { tenant, id: staffId }: Exporter): Promise<void> {
  const isOfTenant = and(eq(movementExport.tenant, tenant), isOpen);
  const own = await tx.$count(movementExport, and(isOfTenant, eq(movementExport.staffId, staffId)));
  if (own >= OPEN_OF_PERSON) throw new AppError("conflict", { code: "movement-files-own" });
  const all = await tx.$count(movementExport, isOfTenant);
  if (all >= OPEN_OF_TENANT) throw new AppError("conflict", { code: "movement-files-all" });
}

type NewExport = Pick<typeof movementExport.$inferInsert, "tenant" | "format" | "fromDay" | "toDay" | "locale">;

const SEPARATOR = "\n";

const hashOf = (lines: readonly string[]) => createHash("sha256").update(lines.join(SEPARATOR)).digest("hex");

const sourceLine = ({ kind, ref }: Chosen) => `${kind} ${ref}`;
const storedLine = sql`${movementSource.kind} || ' ' || ${movementSource.ref}`;
const storedHash = (line: SQL) =>
  sql<string>`encode(sha256(convert_to(string_agg(${line}, ${SEPARATOR} order by ${movementSource.position}), 'UTF8')), 'hex')`;

/** An equal file has the same sources; a finished one also lacks nothing, and was made today and after its period. */
async function findEqual(tx: Tx, wanted: NewExport, chosen: readonly Chosen[]): Promise<string | null> {
  const { tenant, format, fromDay, toDay, locale } = wanted;
  const { id, state, startedAt, createdAt } = movementExport;
  const isFresh = and(eq(state, "READY"), gt(movementExport.finishedAt, storeTimeBefore(DAY_MS)));
  const isOfPeriod = and(eq(movementExport.fromDay, fromDay), eq(movementExport.toDay, toDay));
  const files = await tx
    .select({
      id,
      state,
      startedAt,
      sources: storedHash(storedLine),
      read: storedHash(sql`${storedLine} || ' ' || coalesce(nullif(${movementSource.why}, ${MADE_LATER}), '')`),
    })
    .from(movementExport)
    .innerJoin(movementSource, and(eq(movementSource.tenant, tenant), eq(movementSource.exportId, id)))
    .where(
      and(
        eq(movementExport.tenant, tenant),
        eq(movementExport.format, format),
        isOfPeriod,
        eq(movementExport.locale, locale),
        or(isOpen, isFresh),
      ),
    )
    .groupBy(id, state, startedAt, createdAt)
    .orderBy(desc(createdAt));
  if (files.length === 0) return null;
  const sources = hashOf(chosen.map(sourceLine));
  const read = hashOf(chosen.map((one) => `${sourceLine(one)} ${one.why === MADE_LATER ? "" : (one.why ?? "")}`));
  const equal = files.find((one) => {
    if (one.state !== "READY") return one.sources === sources;
    return one.read === read && one.startedAt !== null && civilDay(one.startedAt) > toDay;
  });
  return equal?.id ?? null;
}

type Started = { id: string; isThere: boolean };

/** Once by its id; `isThere`: an equal one is returned. Throws not-found when a name matches nothing. */
export async function startMovementFile(actor: Exporter, order: MovementStart, spoken?: Locale): Promise<Started> {
  const { tenant, id: staffId } = actor;
  const { id, from, to, format, names } = order;
  const store = await db();
  const locale = spoken ?? (await getLocale());
  const start = async (tx: Tx): Promise<Started> => {
    const bytes = JSON.stringify([from, to, format, order.scope, names]);
    await claimIntent(tx, { tenant, id, kind: "movements.start", actor: staffId, bytes, isProposed: false });
    await holdLock(tx, `${tenant} movements`);
    const isIt = and(eq(movementExport.tenant, tenant), eq(movementExport.id, id));
    if ((await tx.$count(movementExport, isIt)) > 0) return { id, isThere: false };
    const { accounts, wallets, unknown, scope } = await choose(tx, actor, order);
    const chosen = [...accounts, ...wallets].map(({ source }) => source);
    if (unknown.length > 0 || chosen.every(({ state }) => state === "UNREAD")) throw new AppError("not-found");
    if (format === "ofx") refuseLargeZip({ entries: accounts.length, sizeBytes: 0 });
    const { calls: plannedCalls, minutes: plannedMinutes } = costOf(accounts.length, format);
    const wanted = { tenant, format, fromDay: from, toDay: to, locale } as const;
    const equal = await findEqual(tx, wanted, chosen);
    if (equal !== null) return { id: equal, isThere: true };
    await refuseBeyondBounds(tx, actor);
    await tx.insert(movementExport).values({ ...wanted, id, staffId, scope, plannedCalls, plannedMinutes });
    const sources = chosen.map((one, at) => ({ tenant, exportId: id, position: at + 1, ...one }));
    for (let at = 0; at < sources.length; at += BATCH_ROWS)
      await tx.insert(movementSource).values(sources.slice(at, at + BATCH_ROWS));
    await publish(tx, { tenant, topic: "movements", object: id });
    const detail = { exportId: id, format, from, to, scope, sources: sources.length };
    await record(tx, { tenant, actor: staffId, code: "movements.start", outcome: "DONE", detail });
    return { id, isThere: false };
  };
  const started = await inTurn(tenant, () => store.transaction(start));
  await triggerWatch(tenant, "movements");
  return started;
}

/** Anybody who may export may stop it, which drops what was read. Throws not-found once it ended. */
export async function stopMovementFile(exporter: Exporter, { id }: { id: string }): Promise<null> {
  const { tenant, id: actor } = exporter;
  const store = await db();
  await store.transaction(async (tx) => {
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
