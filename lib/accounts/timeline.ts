import { and, desc, eq } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { AccountEvent, AccountEventKind } from "./view";
import type { ApprovalState } from "@/lib/db/enums/approvals";
import { approval } from "@/lib/db/tables/approvals";
import type { Actor } from "@/lib/permission/grant";
import { providerIntent, type IntentState } from "@/lib/db/tables/provider";
import { type Intent, ofIntent } from "@/lib/provider/intents/intent-record";
import { staff } from "@/lib/db/tables/staff";
import { account, onboarding } from "@/lib/db/tables/customers";
import { onboardingEvent } from "@/lib/db/tables/onboarding";
import { type Db, db } from "@/lib/db/connection";
import { isUuid } from "@/lib/text/decode";
import { accountClosure } from "@/lib/db/tables/accounts";

/** The most proposals and sent closings read; an account has few. */
const MAX_OF_EACH = 50;

type Person = { id: string | null; name: string | null };
type Happened = { at: Date | null; kind: AccountEventKind; by: Person };
type AccountKey = { tenant: string; ref: string };

const NOBODY: Person = { id: null, name: null };
const decider = alias(staff, "decider");

/** Null when it was open at the first look. */
async function readOpenedAt(store: Db, of: { tenant: string; accountId: string }): Promise<Date | null> {
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

async function readBeginning(store: Db, { tenant, ref }: AccountKey): Promise<Happened[]> {
  const [found] = await store
    .select({ accountId: account.accountId, firstSeenAt: account.firstSeenAt })
    .from(account)
    .where(and(eq(account.tenant, tenant), eq(account.ref, ref)));
  if (found === undefined) return [];
  const known: Happened = { at: found.firstSeenAt, kind: "known", by: NOBODY };
  return [{ at: await readOpenedAt(store, { tenant, accountId: found.accountId }), kind: "opened", by: NOBODY }, known];
}

const OUTCOMES: Record<Exclude<IntentState, "REFUSED">, AccountEventKind> = {
  SENDING: "closing-sent",
  HELD: "closing-sent",
  UNKNOWN: "closing-sent",
  DONE: "closed",
};

function kindOf(intent: Intent): AccountEventKind {
  if (intent.state !== "REFUSED") return OUTCOMES[intent.state];
  if (intent.attempts === 0) return "closing-failed";
  return intent.endedBy === null && intent.status !== null ? "closing-rejected" : "closing-without-effect";
}

type SentClosure = Happened & { intentId: string };

async function readSent(store: Db, { tenant, ref }: AccountKey): Promise<SentClosure[]> {
  const rows = await store
    .select({
      intentId: accountClosure.intentId,
      createdAt: accountClosure.createdAt,
      intent: providerIntent,
      by: { id: staff.id, name: staff.name },
    })
    .from(accountClosure)
    .innerJoin(providerIntent, ofIntent(accountClosure))
    .innerJoin(staff, eq(staff.id, accountClosure.staffId))
    .where(and(eq(accountClosure.tenant, tenant), eq(accountClosure.accountRef, ref)))
    .orderBy(desc(accountClosure.createdAt))
    .limit(MAX_OF_EACH);
  return rows.map(({ intentId, createdAt, intent, by }) => {
    const kind = kindOf(intent);
    const ended = kind === "closing-sent" ? null : intent.finishedAt;
    return { intentId, kind, by, at: ended ?? intent.firstSentAt ?? createdAt };
  });
}

type Proposal = { row: typeof approval.$inferSelect; maker: Person; decider: Person | null };

const ENDS: Partial<Record<ApprovalState, AccountEventKind>> = {
  WITHDRAWN: "closing-withdrawn",
  EXPIRED: "closing-expired",
  FAILED: "closing-failed",
};

function eventsOf({ row, ...people }: Proposal, wasSent: boolean): Happened[] {
  const end = ENDS[row.state];
  const by = row.state === "WITHDRAWN" ? people.maker : NOBODY;
  const kind = row.state === "REFUSED" ? "closing-refused" : "closing-authorised";
  return [
    { at: row.createdAt, kind: "closing-proposed", by: people.maker },
    ...(row.deciderId === null ? [] : [{ at: row.decidedAt, kind, by: people.decider ?? NOBODY } as const]),
    // A sent closing records its own end.
    ...(end === undefined || wasSent ? [] : [{ at: row.endedAt, kind: end, by }]),
  ];
}

async function readApprovals(store: Db, { tenant, ref }: AccountKey): Promise<Proposal[]> {
  return store
    .select({
      row: approval,
      maker: { id: staff.id, name: staff.name },
      decider: { id: decider.id, name: decider.name },
    })
    .from(approval)
    .innerJoin(staff, eq(staff.id, approval.makerId))
    .leftJoin(decider, eq(decider.id, approval.deciderId))
    .where(and(eq(approval.tenant, tenant), eq(approval.kind, "account.close"), eq(approval.object, `account:${ref}`)))
    .orderBy(desc(approval.createdAt))
    .limit(MAX_OF_EACH);
}

/** The account's history, newest first; empty for an unknown account. */
export async function readAccountTimeline(reader: Actor<"accounts:read">, ref: string): Promise<AccountEvent[]> {
  if (!isUuid(ref)) return [];
  const store = await db();
  const which = { tenant: reader.tenant, ref };
  const [beginning, pendingApprovals, sent] = await Promise.all([
    readBeginning(store, which),
    readApprovals(store, which),
    readSent(store, which),
  ]);
  const wasSent = ({ row }: Proposal) => sent.some(({ intentId }) => intentId === row.intentId);
  const happened = [...beginning, ...pendingApprovals.flatMap((one) => eventsOf(one, wasSent(one))), ...sent];
  return happened
    .flatMap(({ at, kind, by }) =>
      at === null ? [] : [{ at: at.toISOString(), kind, byName: by.name, isMine: by.id === reader.id }],
    )
    .toReversed()
    .toSorted((one, other) => other.at.localeCompare(one.at));
}
