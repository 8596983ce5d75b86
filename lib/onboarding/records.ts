import { randomUUID } from "node:crypto";
import { and, asc, desc, eq, inArray, isNotNull, isNull, lte, or, sql } from "drizzle-orm";
import { z } from "zod";
import type { Actor } from "@/lib/permission/grant";
import { maskWithin } from "@/lib/contract/document";
import type { OnboardingRecord } from "@/lib/contract/onboarding";
import { userIdIn } from "@/lib/contract/open-answer";
import { provider } from "@/lib/provider/client";
import { checkOnboarding } from "@/lib/provider/operations";
import { storeNow } from "@/lib/db/clock";
import { type Db, db, type Tx } from "@/lib/db/connection";
import { sealDocument, shownOnboardingDocument } from "@/lib/db/document";
import { lockByHashes } from "@/lib/db/lease";
import { publish } from "@/lib/db/publish";
import { lookupHashes } from "@/lib/db/seal";
import { account, onboarding } from "@/lib/db/tables/customers";
import { onboardingEvent, onboardingLink } from "@/lib/db/tables/onboarding";
import { watchStanding } from "@/lib/db/watch-state";
import { type ShownBody, unreadIn } from "@/lib/text/shown-body";
import { isTypedDocument, nextCheckAt } from "./inputs";
import { eventsOf, isReturn, type OnboardingEvent, isSameOnboarding, stageOf, whoActs } from "./standing";

/** By id or document, the newest of several; null when nothing is stored. */
export async function findStored(store: Db, tenant: string, asked: string): Promise<{ id: string } | null> {
  const isIt = or(eq(onboarding.onBoardingId, asked), inArray(onboarding.documentHash, lookupHashes(asked)));
  const [row] = await store
    .select({ id: onboarding.id })
    .from(onboarding)
    .where(and(eq(onboarding.tenant, tenant), isIt))
    .orderBy(desc(onboarding.firstSeenAt), desc(onboarding.seq))
    .limit(1);
  return row ?? null;
}

export async function readUnreadOnboardings({ tenant }: Pick<Actor, "tenant">): Promise<ShownBody[]> {
  return unreadIn((await watchStanding(tenant, "onboarding")).memory);
}

const Whole = z.object({ wholeAt: z.iso.datetime() });

/** When the provider's list of accounts was last read completely (ISO); null: never, or unknown. */
export async function readListWholeAt(tenant: string): Promise<string | null> {
  return Whole.safeParse((await watchStanding(tenant, "onboarding")).memory).data?.wholeAt ?? null;
}

export async function noteOnboardingEvents(tx: Db | Tx, events: readonly OnboardingEvent[]): Promise<void> {
  if (events.length === 0) return;
  await tx.insert(onboardingEvent).values(events.map(({ detail = {}, ...event }) => ({ ...event, detail })));
}

type OnboardingKey = { tenant: string; onboardingId: string };

const HOST_MAX_LENGTH = 253;

/** In punycode; empty for anything but a URL. */
const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).host.slice(0, HOST_MAX_LENGTH) : "");

const isOf = ({ tenant, onboardingId }: OnboardingKey) =>
  and(eq(onboardingLink.tenant, tenant), eq(onboardingLink.onboardingId, onboardingId));

async function hadLink(tx: Tx, which: OnboardingKey): Promise<boolean> {
  return (await tx.$count(onboardingLink, isOf(which))) > 0;
}

/** `url` null: the link is gone. `at`: when that was seen. */
async function turnLink(tx: Tx, which: OnboardingKey, { url, at }: { url: string | null; at: Date }): Promise<void> {
  await tx
    .update(onboardingLink)
    .set({ goneAt: at })
    .where(and(isOf(which), isNull(onboardingLink.goneAt)));
  if (url === null) return;
  const { tenant, onboardingId } = which;
  await tx.insert(onboardingLink).values({ id: randomUUID(), tenant, onboardingId, host: hostOf(url), appearedAt: at });
}

export type StoredOnboarding = typeof onboarding.$inferSelect;

export async function attemptsLike(tx: Db | Tx, row: StoredOnboarding): Promise<StoredOnboarding[]> {
  return tx
    .select()
    .from(onboarding)
    .where(
      and(eq(onboarding.tenant, row.tenant), inArray(onboarding.documentHash, shownOnboardingDocument(row).hashes)),
    )
    .orderBy(asc(onboarding.firstSeenAt), asc(onboarding.seq));
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
  await noteOnboardingEvents(
    tx,
    [newer, ...touched].map((onboardingId) => ({
      ...what,
      onboardingId,
      detail: { newer, older: older ?? row.previousId },
    })),
  );
  for (const object of [newer, ...touched]) await publish(tx, { tenant, topic: "onboarding", object });
}

async function wereParted(tx: Tx, newer: StoredOnboarding, older: StoredOnboarding): Promise<boolean> {
  const isPartedBySomebody = and(eq(onboardingEvent.kind, "attempt-unlinked"), isNotNull(onboardingEvent.actor));
  const isOfNewer = and(eq(onboardingEvent.tenant, newer.tenant), eq(onboardingEvent.onboardingId, newer.id));
  const isFromOlder = sql`${onboardingEvent.detail} ->> 'older' = ${older.id}`;
  return (await tx.$count(onboardingEvent, and(isOfNewer, isPartedBySomebody, isFromOlder))) > 0;
}

/** A refused attempt links to the next one of the same document. Links made or removed by people stay. */
async function linkByDocument(tx: Tx, row: StoredOnboarding): Promise<void> {
  const { tenant } = row;
  const rows = await attemptsLike(tx, row);
  const at = rows.findIndex(({ id }) => id === row.id);
  const older = rows[at - 1];
  const newer = rows[at + 1];
  const isPassedOver = newer !== undefined && (newer.previousId === null || newer.previousId === older?.id);
  const isFollowed = isPassedOver && row.status === "ERROR" && !(await wereParted(tx, newer, row));
  const follower = isFollowed ? newer : null;
  if (follower !== null) await linkAttempts(tx, { tenant, newer: follower.id, older: row.id, by: null });
  if (older?.status !== "ERROR" || row.previousId !== null || (await wereParted(tx, row, older))) return;
  const isTaken = rows.some(({ id, previousId }) => previousId === older.id && id !== follower?.id);
  if (!isTaken) await linkAttempts(tx, { tenant, newer: row.id, older: older.id, by: null });
}

type Answered = { asked: string; record: OnboardingRecord; askedAt: Date; since?: Date | undefined };

const isFinal = (status: string) => status === "CONFIRMED" || status === "ERROR";

/** The answer has no onboarding id: by document it continues the newest attempt, unless that one ended otherwise. */
async function findRow(tx: Tx, tenant: string, { asked, record }: Answered): Promise<StoredOnboarding | undefined> {
  const { status, body } = record.data;
  const isId = !isTypedDocument(asked);
  const rows = await tx
    .select()
    .from(onboarding)
    .where(
      and(
        eq(onboarding.tenant, tenant),
        or(
          isId ? eq(onboarding.onBoardingId, asked) : undefined,
          and(
            inArray(onboarding.documentHash, lookupHashes(body.account.documentNumber)),
            isId ? isNull(onboarding.onBoardingId) : undefined,
          ),
        ),
      ),
    )
    .orderBy(desc(onboarding.firstSeenAt), desc(onboarding.seq));
  const exact = rows.find((row) => row.onBoardingId === asked);
  return exact ?? rows.slice(0, 1).find((row) => row.status === status || !isFinal(row.status));
}

/** Under an opaque reference for URLs. Null: no account. */
export async function saveAccount(tx: Tx, tenant: string, { record, askedAt }: Answered): Promise<string | null> {
  const { accountId, branch, account: number, documentNumber } = record.data.body.account;
  if (accountId === null) return null;
  const userId = userIdIn(record.data);
  const named = userId === "" ? {} : { userId };
  const ref = randomUUID();
  const document = sealDocument({ table: "account", id: ref }, documentNumber);
  const [stored] = await tx
    .insert(account)
    .values({ ref, tenant, accountId, branch, number, ...document, ...named, firstSeenAt: askedAt })
    .onConflictDoUpdate({ target: [account.tenant, account.accountId], set: { branch, number, ...named } })
    .returning({ ref: account.ref });
  return stored?.ref ?? null;
}

async function readAnswer(tx: Tx, row: StoredOnboarding | undefined, { data: { status, body } }: OnboardingRecord) {
  const messages = (body.messages ?? []).map((message) => ({ ...message, message: maskWithin(message.message) }));
  const fields = {
    status,
    messages,
    biometricUrl: body.biometricUrl?.trim() || null,
    accountId: body.account.accountId,
  };
  const hasHadLink = row !== undefined && (await hadLink(tx, { tenant: row.tenant, onboardingId: row.id }));
  const isSuperseded = row !== undefined && (await tx.$count(onboarding, eq(onboarding.previousId, row.id))) > 0;
  const known = { ...fields, hadLink: hasHadLink, isSuperseded };
  const hasReturned = row !== undefined && isReturn({ ...row, hadLink: hasHadLink }, fields);
  return {
    ...fields,
    traceId: body.traceId === "" ? null : body.traceId,
    stage: stageOf(known),
    whoActs: whoActs(known),
    returns: (row?.returns ?? 0) + Number(hasReturned),
  };
}

type Said = Awaited<ReturnType<typeof readAnswer>>;

const differs = (row: StoredOnboarding, said: Said) =>
  row.status !== said.status ||
  row.biometricUrl !== said.biometricUrl ||
  row.accountId !== said.accountId ||
  !isSameOnboarding(row.messages, said.messages);

async function updateRow(tx: Tx, row: StoredOnboarding, { said, answered }: { said: Said; answered: Answered }) {
  const { asked, askedAt } = answered;
  const values = {
    ...said,
    onBoardingId: row.onBoardingId ?? (isTypedDocument(asked) ? null : asked),
    checkedAt: askedAt,
    nextCheckAt: nextCheckAt(said.status, row.firstSeenAt, askedAt),
    ...(differs(row, said) && { changedAt: askedAt }),
  };
  const [updated] = await tx
    .update(onboarding)
    .set(values)
    .where(and(eq(onboarding.id, row.id), lte(onboarding.checkedAt, askedAt)))
    .returning();
  return updated;
}

async function insertRow(tx: Tx, tenant: string, { said, answered }: { said: Said; answered: Answered }) {
  const { asked, askedAt, since, record } = answered;
  const id = randomUUID();
  const firstSeenAt = since ?? askedAt;
  const [inserted] = await tx
    .insert(onboarding)
    .values({
      id,
      tenant,
      ...said,
      ...sealDocument({ table: "onboarding", id }, record.data.body.account.documentNumber),
      onBoardingId: isTypedDocument(asked) ? null : asked,
      firstSeenAt,
      changedAt: askedAt,
      checkedAt: askedAt,
      nextCheckAt: nextCheckAt(said.status, firstSeenAt, askedAt),
    })
    .returning();
  return inserted;
}

const TELLS_SINCE = new Set(["moved", "link-appeared", "link-changed"]);

/** When it was last read without the change: that lies between the two readings. */
const datedEvents = (before: StoredOnboarding | undefined, after: StoredOnboarding): OnboardingEvent[] =>
  eventsOf(before, after).map((event) =>
    before !== undefined && TELLS_SINCE.has(event.kind)
      ? { ...event, detail: { ...event.detail, since: before.checkedAt.toISOString() } }
      : event,
  );

async function announceChange(tx: Tx, before: StoredOnboarding | undefined, after: StoredOnboarding): Promise<void> {
  const { tenant, id, biometricUrl: url, changedAt: at } = after;
  if ((before?.biometricUrl ?? null) !== url) await turnLink(tx, { tenant, onboardingId: id }, { url, at });
  await noteOnboardingEvents(tx, datedEvents(before, after));
  await publish(tx, { tenant, topic: "onboarding", object: id });
  const hasEnded = before?.status !== "ERROR" && after.status === "ERROR";
  if (before === undefined || hasEnded) await linkByDocument(tx, after);
}

/** Answers older than the store change nothing. */
export async function saveOnboarding(
  tx: Tx,
  tenant: string,
  answered: Answered,
): Promise<{ id: string; isNew: boolean }> {
  // Two readers of one customer must not both insert.
  await lockByHashes(tx, answered.record.data.body.account.documentNumber);
  const row = await findRow(tx, tenant, answered);
  const said = await readAnswer(tx, row, answered.record);
  const stored = await (row === undefined
    ? insertRow(tx, tenant, { said, answered })
    : updateRow(tx, row, { said, answered }));
  if (stored !== undefined && (row === undefined || differs(row, said))) await announceChange(tx, row, stored);
  return { id: stored?.id ?? row?.id ?? "", isNew: row === undefined };
}

export type SavedOnboarding = { id: string; isNew: boolean; accountRef: string | null };

type Refresh = {
  since?: Date | undefined;
  isFresh?: boolean;
  isPatient?: boolean;
  /** For recording who asked, in the same transaction. */
  also?: (tx: Tx, stored: SavedOnboarding) => Promise<void>;
};

export async function refreshOnboarding(
  actor: Actor,
  asked: string,
  { since, also, isFresh = false, isPatient = false }: Refresh = {},
): Promise<SavedOnboarding> {
  const { tenant } = actor;
  const store = await db();
  const known = await findStored(store, tenant, asked);
  const askedAt = await storeNow(store);
  const { answer: record } = await provider.get(actor, checkOnboarding, {
    query: { onBoardingId: asked },
    isFresh,
    isPatient,
    // For the call log: never the document.
    ...(known !== null && { object: `onboarding:${known.id}` }),
  });
  const answered = { asked, record, askedAt, since };
  return store.transaction(async (tx) => {
    const { id, isNew } = await saveOnboarding(tx, tenant, answered);
    const stored = { id, isNew, accountRef: await saveAccount(tx, tenant, answered) };
    await also?.(tx, stored);
    return stored;
  });
}
