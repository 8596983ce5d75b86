import { and, asc, eq, inArray, or, sql } from "drizzle-orm";
import { type Db, db } from "@/lib/db/connection";
import type { EntryPlace } from "@/lib/db/enums/deposits";
import { deposit, depositNotice } from "@/lib/db/tables/deposits";
import { staff } from "@/lib/db/tables/staff";
import { chainMovement, wallet, walletRequest } from "@/lib/db/tables/wallets";
import type { Actor } from "@/lib/permission/grant";
import { hasTime, publicLink, type StoredMovement } from "@/lib/wallets/records";
import { handledOf, handlingVersion } from "./handled";
import { findDeposit } from "./list";
import type { DepositRecord, TraceStep } from "./view";

type Reader = Actor<"wallets:read">;
type DepositRow = typeof deposit.$inferSelect;

const unseen = { isSeen: false, at: null, text: null, byName: null, href: null, explorer: null } as const;

async function readMovement(store: Db, tenant: string, place: EntryPlace | null): Promise<StoredMovement | null> {
  if (place === null) return null;
  const { walletId, network, key, ordinal } = place;
  const [row] = await store
    .select()
    .from(chainMovement)
    .where(
      and(
        eq(chainMovement.tenant, tenant),
        eq(chainMovement.walletId, walletId),
        eq(sql`${chainMovement.network}::text`, network),
        eq(chainMovement.key, key),
        eq(chainMovement.ordinal, ordinal),
      ),
    );
  return row ?? null;
}

async function readNames(store: Db, ids: readonly (string | null)[]): Promise<(id: string | null) => string | null> {
  const known = ids.flatMap((id) => id ?? []);
  const rows =
    known.length === 0
      ? []
      : await store.select({ id: staff.id, name: staff.name }).from(staff).where(inArray(staff.id, known));
  return (id) => rows.find((row) => row.id === id)?.name ?? null;
}

const walletHref = (id: string) => `/wallets/${encodeURIComponent(id)}`;

async function readRequest(store: Db, tenant: string, row: DepositRow) {
  const isOf = or(
    row.address === null ? undefined : eq(sql`lower(${walletRequest.address})`, row.address.toLowerCase()),
    row.referenceHash === null ? undefined : eq(walletRequest.referenceHash, row.referenceHash),
  );
  if (isOf === undefined) return null;
  const [found] = await store
    .select({ at: walletRequest.createdAt, address: walletRequest.address, byName: staff.name })
    .from(walletRequest)
    .innerJoin(staff, eq(staff.id, walletRequest.staffId))
    .where(and(eq(walletRequest.tenant, tenant), isOf))
    .orderBy(asc(walletRequest.createdAt))
    .limit(1);
  return found ?? null;
}

async function readWalletId(store: Db, tenant: string, address: string | null): Promise<string | null> {
  if (address === null) return null;
  const [found] = await store
    .select({ id: wallet.id })
    .from(wallet)
    .where(and(eq(wallet.tenant, tenant), eq(sql`lower(${wallet.address})`, address.toLowerCase())))
    .limit(1);
  return found?.id ?? null;
}

function stepOfMovement(kind: "hash" | "sweep", tenant: string, row: StoredMovement | null): TraceStep {
  const source = kind === "hash" ? ("chain" as const) : ("master" as const);
  if (row === null) return { ...unseen, kind, source };
  return {
    kind,
    source,
    isSeen: row.droppedAt === null,
    at: hasTime(row) ? row.at.toISOString() : null,
    text: row.hash,
    byName: null,
    href: walletHref(row.walletId),
    explorer: publicLink(tenant, row.network, row.hash),
  };
}

/** From the reference to what was expected of it, each with its moment and where it was seen; null without this deposit. */
export async function readDeposit(reader: Reader, id: string): Promise<DepositRecord | null> {
  const { tenant } = reader;
  const store = await db();
  const found = await findDeposit(store, reader, id);
  if (found === null) return null;
  const { row, stored, now } = found;
  const isOf = (key: string) => and(eq(deposit.tenant, tenant), eq(deposit.id, key));
  const expected =
    stored.kind === "expected"
      ? stored
      : stored.expectedId === null
        ? undefined
        : (await store.select().from(deposit).where(isOf(stored.expectedId)))[0];
  const [arrival] =
    stored.kind === "expected"
      ? await store
          .select({ id: deposit.id, at: deposit.matchedAt })
          .from(deposit)
          .where(and(eq(deposit.tenant, tenant), eq(deposit.expectedId, id)))
      : [];
  const notices = stored.evidence?.notices ?? [];
  const [told] =
    notices.length === 0
      ? []
      : await store
          .select()
          .from(depositNotice)
          .where(and(eq(depositNotice.tenant, tenant), inArray(depositNotice.identity, notices)))
          .orderBy(asc(depositNotice.receivedAt));
  const entry = await readMovement(store, tenant, stored.evidence?.entry ?? null);
  const sweep = await readMovement(store, tenant, stored.evidence?.sweep ?? null);
  const request = await readRequest(store, tenant, stored);
  const address = row.address ?? request?.address ?? null;
  const walletId = await readWalletId(store, tenant, address);
  const nameOf = await readNames(store, [stored.handledBy, expected?.staffId ?? null]);
  const hash = stepOfMovement("hash", tenant, entry);
  const { handledAt } = stored;
  const matchedAt = stored.kind === "expected" ? (arrival?.at ?? null) : stored.matchedAt;
  return {
    row,
    trace: [
      {
        ...unseen,
        kind: "reference",
        source: "here",
        isSeen: row.reference !== null,
        at: request?.at.toISOString() ?? null,
        text: row.reference,
        byName: request?.byName ?? null,
      },
      {
        ...unseen,
        kind: "address",
        source: "here",
        isSeen: address !== null,
        text: address,
        href: walletId === null ? null : walletHref(walletId),
      },
      entry === null
        ? { ...hash, source: "event", isSeen: row.hash !== null, text: row.hash, explorer: row.explorer }
        : hash,
      stepOfMovement("sweep", tenant, sweep),
      {
        ...unseen,
        kind: "event",
        source: "event",
        isSeen: told !== undefined,
        at: told?.receivedAt.toISOString() ?? null,
      },
      {
        ...unseen,
        kind: "matched",
        source: "typed",
        isSeen: matchedAt !== null,
        at: matchedAt?.toISOString() ?? null,
        byName: nameOf(expected?.staffId ?? null),
      },
    ],
    handled: handledAt === null ? null : { byName: nameOf(stored.handledBy) ?? "", at: handledAt.toISOString() },
    version: handlingVersion(handledOf(stored)),
    walletId,
    arrivalId: arrival?.id ?? null,
    asOf: now.toISOString(),
  };
}
