import { randomUUID } from "node:crypto";
import { and, asc, desc, eq, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import { z } from "zod";
import { record } from "@/lib/audit/record";
import type { Actor } from "@/lib/permission/grant";
import { AppError } from "@/lib/errors/app-error";
import { publish } from "@/lib/db/publish";
import { onboardingDocument, shownOnboardingDocument } from "@/lib/db/document";
import { lockByHashes } from "@/lib/db/lease";
import { onboarding } from "@/lib/db/tables/customers";
import { type Db, db, type Tx } from "@/lib/db/connection";
import { noteEvents } from "./events";
import { onboardingEvent, onboardingLink } from "@/lib/db/tables/onboarding";
import { whoActs } from "./standing";

type Which = { tenant: string; onboardingId: string };

const HOST_MAX_LENGTH = 253;

/** In punycode; empty for anything but an address. */
const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).host.slice(0, HOST_MAX_LENGTH) : "");

const isOf = ({ tenant, onboardingId }: Which) =>
  and(eq(onboardingLink.tenant, tenant), eq(onboardingLink.onboardingId, onboardingId));

export async function hadLink(tx: Tx, which: Which): Promise<boolean> {
  return (await tx.$count(onboardingLink, isOf(which))) > 0;
}

/** `url` null: there is none any more. `at`: when that was seen. */
export async function turnLink(tx: Tx, which: Which, { url, at }: { url: string | null; at: Date }): Promise<void> {
  await tx
    .update(onboardingLink)
    .set({ goneAt: at })
    .where(and(isOf(which), isNull(onboardingLink.goneAt)));
  if (url === null) return;
  const { tenant, onboardingId } = which;
  await tx.insert(onboardingLink).values({ id: randomUUID(), tenant, onboardingId, host: hostOf(url), appearedAt: at });
}

export async function openLink(tx: Tx, which: Which): Promise<string | null> {
  const [link] = await tx
    .select({ id: onboardingLink.id })
    .from(onboardingLink)
    .where(and(isOf(which), isNull(onboardingLink.goneAt)))
    .orderBy(desc(onboardingLink.appearedAt))
    .limit(1);
  return link?.id ?? null;
}

export type AttemptRow = typeof onboarding.$inferSelect;

export async function attemptsLike(tx: Db | Tx, row: AttemptRow): Promise<AttemptRow[]> {
  return tx
    .select()
    .from(onboarding)
    .where(
      and(eq(onboarding.tenant, row.tenant), inArray(onboarding.documentHash, shownOnboardingDocument(row).hashes)),
    )
    .orderBy(asc(onboarding.firstSeenAt), asc(onboarding.seq));
}

export function chainOf(rows: readonly AttemptRow[], id: string): AttemptRow[] {
  const chain = rows.filter((row) => row.id === id);
  const older = () => rows.find((row) => row.id === chain[0]?.previousId && !chain.includes(row));
  const newer = () => rows.find((row) => row.previousId === chain.at(-1)?.id && !chain.includes(row));
  for (let row = older(); row !== undefined; row = older()) chain.unshift(row);
  for (let row = newer(); row !== undefined; row = newer()) chain.push(row);
  return chain;
}

type Linking = {
  tenant: string;
  newer: string;
  older: string | null;
  /** Staff id; null: found by document. */
  by: string | null;
};

/** Who must act depends on whether a retry follows. */
async function assignPerson(tx: Tx, tenant: string, id: string): Promise<void> {
  const isIt = and(eq(onboarding.tenant, tenant), eq(onboarding.id, id));
  const [row] = await tx.select().from(onboarding).where(isIt);
  if (row === undefined) return;
  const isFollowed = and(eq(onboarding.tenant, tenant), eq(onboarding.previousId, id));
  const isSuperseded = (await tx.$count(onboarding, isFollowed)) > 0;
  const known = { ...row, isSuperseded, hadLink: await hadLink(tx, { tenant, onboardingId: id }) };
  await tx
    .update(onboarding)
    .set({ whoActs: whoActs(known) })
    .where(isIt);
}

export async function linkAttempts(tx: Tx, { tenant, newer, older, by }: Linking): Promise<void> {
  const isNewer = and(eq(onboarding.tenant, tenant), eq(onboarding.id, newer));
  const [row] = await tx.select({ previousId: onboarding.previousId }).from(onboarding).where(isNewer);
  if (row === undefined || row.previousId === older) return;
  // Only one retry: the first stays.
  if (older !== null && (await tx.$count(onboarding, eq(onboarding.previousId, older))) > 0) return;
  await tx.update(onboarding).set({ previousId: older }).where(isNewer);
  const touched = [row.previousId, older].filter((id) => id !== null);
  for (const id of touched) await assignPerson(tx, tenant, id);
  const kind = older === null ? "attempt-unlinked" : "attempt-linked";
  const what = { tenant, kind, actor: by } as const;
  await noteEvents(
    tx,
    [newer, ...touched].map((onboardingId) => ({
      ...what,
      onboardingId,
      detail: { newer, older: older ?? row.previousId },
    })),
  );
  for (const object of [newer, ...touched]) await publish(tx, { tenant, topic: "onboarding", object });
}

async function wereParted(tx: Tx, newer: AttemptRow, older: AttemptRow): Promise<boolean> {
  const isPartedBySomebody = and(eq(onboardingEvent.kind, "attempt-unlinked"), isNotNull(onboardingEvent.actor));
  const isOfNewer = and(eq(onboardingEvent.tenant, newer.tenant), eq(onboardingEvent.onboardingId, newer.id));
  const isFromOlder = sql`${onboardingEvent.detail} ->> 'older' = ${older.id}`;
  return (await tx.$count(onboardingEvent, and(isOfNewer, isPartedBySomebody, isFromOlder))) > 0;
}

/** A refused attempt is followed by the next one of the same document. What people linked or parted stays. */
export async function linkByDocument(tx: Tx, row: AttemptRow): Promise<void> {
  const { tenant } = row;
  const rows = await attemptsLike(tx, row);
  const at = rows.findIndex(({ id }) => id === row.id);
  const [older, newer] = [rows[at - 1], rows[at + 1]];
  const isPassedOver = newer !== undefined && (newer.previousId === null || newer.previousId === older?.id);
  const isFollowed = isPassedOver && row.status === "ERROR" && !(await wereParted(tx, newer, row));
  const follower = isFollowed ? newer : null;
  if (follower !== null) await linkAttempts(tx, { tenant, newer: follower.id, older: row.id, by: null });
  if (older?.status !== "ERROR" || row.previousId !== null || (await wereParted(tx, row, older))) return;
  const isTaken = rows.some(({ id, previousId }) => previousId === older.id && id !== follower?.id);
  if (!isTaken) await linkAttempts(tx, { tenant, newer: row.id, older: older.id, by: null });
}

export const Joining = z.object({ id: z.uuid(), older: z.uuid() });
export const Parting = z.object({ id: z.uuid() });

async function holdRow(tx: Tx, tenant: string, id: string): Promise<AttemptRow> {
  const isIt = and(eq(onboarding.tenant, tenant), eq(onboarding.id, id));
  const [row] = await tx.select().from(onboarding).where(isIt);
  if (row === undefined) throw new AppError("not-found");
  await lockByHashes(tx, onboardingDocument(row));
  const [held] = await tx.select().from(onboarding).where(isIt);
  return held ?? row;
}

/** Throws not-found, and conflict `attempt-taken` when one of the two is linked otherwise. */
export async function join(actor: Actor<"onboarding:follow">, { id, older }: z.output<typeof Joining>): Promise<null> {
  const { tenant, id: by } = actor;
  return (await db()).transaction(async (tx) => {
    const row = await holdRow(tx, tenant, id);
    const rows = await attemptsLike(tx, row);
    const earlier = rows
      .slice(
        0,
        rows.findIndex((one) => one.id === id),
      )
      .find((one) => one.id === older);
    if (earlier === undefined) throw new AppError("not-found");
    if (row.previousId === older) return null;
    const isTaken = row.previousId !== null || rows.some(({ previousId }) => previousId === older);
    if (isTaken) throw new AppError("conflict", { code: "attempt-taken" });
    await linkAttempts(tx, { tenant, newer: id, older, by });
    const what = { code: "onboarding.join", outcome: "DONE", object: `onboarding:${id}` } as const;
    await record(tx, { tenant, actor: by, ...what, detail: { older } });
    return null;
  });
}

export async function part(actor: Actor<"onboarding:follow">, { id }: z.output<typeof Parting>): Promise<null> {
  const { tenant, id: by } = actor;
  return (await db()).transaction(async (tx) => {
    const { previousId: older } = await holdRow(tx, tenant, id);
    if (older === null) return null;
    await linkAttempts(tx, { tenant, newer: id, older: null, by });
    const what = { code: "onboarding.part", outcome: "DONE", object: `onboarding:${id}` } as const;
    await record(tx, { tenant, actor: by, ...what, detail: { older } });
    return null;
  });
}
