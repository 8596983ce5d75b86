import { and, desc, eq, inArray, or, isNull, lte } from "drizzle-orm";
import { z } from "zod";
import type { Actor } from "@/lib/permission/grant";
import { bank } from "@/lib/provider/client";
import { checkOnboarding } from "@/lib/provider/operations";
import { type ShownBody, unreadIn } from "@/lib/text/shown-body";
import { storeNow } from "@/lib/db/clock";
import { onboarding, account } from "@/lib/db/tables/customers";
import { lookupHashes } from "@/lib/db/seal";
import { type Db, db, type Tx } from "@/lib/db/connection";
import { watchStanding } from "@/lib/db/watch-state";
import { onboardingEvent } from "@/lib/db/tables/onboarding";
import { randomUUID } from "node:crypto";
import { maskWithin } from "@/lib/contract/document";
import { userIdIn } from "@/lib/contract/open-answer";
import type { OnboardingRecord } from "@/lib/contract/onboarding";
import { publish } from "@/lib/db/publish";
import { sealDocument } from "@/lib/db/document";
import { lockByHashes } from "@/lib/db/lease";
import { hadLink, linkByDocument, turnLink } from "./attempts";
import { noteEvents, type OnboardingEvent } from "./events";
import { isDocument, nextCheckAt } from "./inputs";
import { isReturn, newMessages, saysTheSame, stageOf, stepOf, whoActs } from "./standing";

export type SavedOnboarding = { id: string; isNew: boolean; accountRef: string | null };

type Refresh = {
  since?: Date | undefined;
  isFresh?: boolean;
  /** For recording who asked, in the same transaction. */
  also?: (tx: Tx, stored: SavedOnboarding) => Promise<void>;
};

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

/** Null: it was open when first seen. */
export async function readOpenedAt(store: Db, of: { tenant: string; accountId: string }): Promise<Date | null> {
  const [opened] = await store
    .select({ at: onboardingEvent.at })
    .from(onboardingEvent)
    .innerJoin(onboarding, eq(onboarding.id, onboardingEvent.onboardingId))
    .where(
      and(
        eq(onboarding.tenant, of.tenant),
        eq(onboarding.accountId, of.accountId),
        eq(onboardingEvent.tenant, of.tenant),
        eq(onboardingEvent.kind, "account-opened"),
      ),
    )
    .limit(1);
  return opened?.at ?? null;
}

export async function refreshOnboarding(
  actor: Actor,
  asked: string,
  { since, also, isFresh = false }: Refresh = {},
): Promise<SavedOnboarding> {
  const { tenant } = actor;
  const store = await db();
  const known = await findStored(store, tenant, asked);
  const askedAt = await storeNow(store);
  const { answer: record } = await bank.get(actor, checkOnboarding, {
    query: { onBoardingId: asked },
    isFresh,
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

export async function readUnread({ tenant }: Pick<Actor, "tenant">): Promise<ShownBody[]> {
  return unreadIn((await watchStanding(tenant, "onboarding")).memory);
}

const Whole = z.object({ wholeAt: z.iso.datetime() });

/** When the provider's list of accounts was last read from end to end (ISO); null: never, or nobody knows whether it was. */
export async function readListWholeAt(tenant: string): Promise<string | null> {
  return Whole.safeParse((await watchStanding(tenant, "onboarding")).memory).data?.wholeAt ?? null;
}

type StoredState = Pick<
  typeof onboarding.$inferSelect,
  "tenant" | "id" | "status" | "stage" | "biometricUrl" | "messages" | "accountId" | "returns"
>;

type Change = Pick<OnboardingEvent, "kind" | "detail">;

/** Unknown steps: the provider's words are with the message. */
const MESSAGE_OF_NO_STEP = "other";

function linkChange(before: string | null, after: string | null): Change[] {
  if (before === after) return [];
  if (after === null) return [{ kind: "link-gone" }];
  return [{ kind: before === null ? "link-appeared" : "link-changed" }];
}

function changesOf(before: StoredState, after: StoredState): Change[] {
  const { status, stage } = after;
  const isMoved = before.status !== status;
  const fields = newMessages(before.messages, after.messages);
  return [
    ...fields.map(({ id, actionRequired }): Change => ({
      kind: "message",
      detail: { process: stepOf(id) ?? MESSAGE_OF_NO_STEP, required: actionRequired },
    })),
    ...linkChange(before.biometricUrl, after.biometricUrl),
    ...(after.returns > before.returns ? [{ kind: "returned", detail: { times: after.returns } } as const] : []),
    // An end implies its stage.
    ...(before.stage !== stage && stage !== "done"
      ? [{ kind: "stage", detail: { from: before.stage, to: stage } } as const]
      : []),
    ...(before.accountId === null && after.accountId !== null ? [{ kind: "account-opened" } as const] : []),
    ...(isMoved ? [{ kind: "moved", detail: { from: before.status, to: status } } as const] : []),
  ];
}

function eventsOf(before: StoredState | undefined, after: StoredState): OnboardingEvent[] {
  const of = { tenant: after.tenant, onboardingId: after.id, actor: null };
  const { status, stage, biometricUrl } = after;
  const changes: Change[] =
    before === undefined
      ? [{ kind: "seen", detail: { status, stage } }, ...linkChange(null, biometricUrl)]
      : changesOf(before, after);
  return changes.map(({ kind, detail = {} }) => ({ ...of, kind, detail }));
}

type OnboardingRow = typeof onboarding.$inferSelect;

type Answered = { asked: string; record: OnboardingRecord; askedAt: Date; since?: Date | undefined };

const isFinal = (status: string) => status === "CONFIRMED" || status === "ERROR";

/** The answer has no onboarding id: by document it continues the newest attempt, unless that one had ended otherwise. */
async function findRow(tx: Tx, tenant: string, { asked, record }: Answered): Promise<OnboardingRow | undefined> {
  const { status, body } = record.data;
  const isId = !isDocument(asked);
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

/** Under an opaque reference, which stands in addresses. Null: no account. */
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

async function readAnswer(tx: Tx, row: OnboardingRow | undefined, { data: { status, body } }: OnboardingRecord) {
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

const differs = (row: OnboardingRow, said: Said) =>
  row.status !== said.status ||
  row.biometricUrl !== said.biometricUrl ||
  row.accountId !== said.accountId ||
  !saysTheSame(row.messages, said.messages);

async function updateRow(tx: Tx, row: OnboardingRow, { said, answered }: { said: Said; answered: Answered }) {
  const { asked, askedAt } = answered;
  const values = {
    ...said,
    onBoardingId: row.onBoardingId ?? (isDocument(asked) ? null : asked),
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
      onBoardingId: isDocument(asked) ? null : asked,
      firstSeenAt,
      changedAt: askedAt,
      checkedAt: askedAt,
      nextCheckAt: nextCheckAt(said.status, firstSeenAt, askedAt),
    })
    .returning();
  return inserted;
}

async function announceChange(tx: Tx, before: OnboardingRow | undefined, after: OnboardingRow): Promise<void> {
  const { tenant, id, biometricUrl: url, changedAt: at } = after;
  if ((before?.biometricUrl ?? null) !== url) await turnLink(tx, { tenant, onboardingId: id }, { url, at });
  await noteEvents(tx, eventsOf(before, after));
  await publish(tx, { tenant, topic: "onboarding", object: id });
  const hasEnded = before?.status !== "ERROR" && after.status === "ERROR";
  if (before === undefined || hasEnded) await linkByDocument(tx, after);
}

/** Older answers than what is stored change nothing. */
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
