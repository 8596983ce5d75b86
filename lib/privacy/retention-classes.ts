import { and, eq, inArray, isNotNull, isNull, lt, or, type SQL, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import { bankIntent } from "@/lib/bank/intent-schema";
import { bankCall } from "@/lib/bank/schema";
import { accountClosure } from "@/lib/accounts/schema";
import { draft } from "@/lib/drafts/schema";
import { caseworkFile, caseworkNote } from "@/lib/casework/schema";
import { dossier } from "@/lib/dossiers/schema";
import { env } from "@/lib/env";
import { kycDecision, kycEvent, kycStart } from "@/lib/kyc/schema";
import { onboardingRequest } from "@/lib/onboarding/schema";
import type { RetentionClassName } from "@/lib/retention-class";
import { staffSession } from "@/lib/auth/schema";
import { account, kycCase, onboarding } from "@/lib/store/schema";
import { webhookEvent } from "@/lib/webhooks/schema";
import { customerLook, reveal } from "./schema";

const DAYS_OF_A_YEAR = 365.25;
/** Beyond a year it is for people to start a run. */
const SHORT_DAYS = 366;

export type Part = {
  table: PgTable & { tenant: PgColumn };
  /** What is due, given the days that it is kept. */
  isDue: (days: number) => SQL | undefined;
  /** What is emptied in the row; without it, the row goes. */
  emptied?: Record<string, null>;
};

export type RetentionClass = {
  name: RetentionClassName;
  /** Null: kept for good. */
  days: () => number | null;
  parts: readonly Part[];
};

const before = (days: number) => sql`clock_timestamp() - ${days} * interval '1 day'`;
/** Nothing happened to the case that something was put to since then: what is put to one that still lives is kept with it. */
const isOfQuietRecord = (object: PgColumn, tenant: PgColumn, days: number) =>
  sql`not exists (select 1 from ${kycEvent} where ${kycEvent.tenant} = ${tenant}
    and ${object} = 'kyc:' || ${kycEvent.kycUUID} and ${kycEvent.at} >= ${before(days)})`;

/** Whoever something is about: by the keyed hash of a document that was typed here, or by the mask that the provider gives. */
type Holder = { tenant: PgColumn; hashes: SQL; masks: SQL };

/**
 * No account of theirs is open as far as we know, or closed later than so many days ago. Closed is what was closed from here, and
 * what a person or the provider did not say otherwise of; an onboarding's account that nobody has looked up counts as open.
 */
function isRelationOver({ tenant, hashes, masks }: Holder, days: number): SQL {
  const isTheirs = (table: typeof account | typeof onboarding) =>
    sql`${table.tenant} = ${tenant} and (${table.documentHash} in ${hashes} or ${table.documentMask} in ${masks})`;
  const isClosed = sql`exists (select 1 from ${accountClosure} join ${bankIntent} on ${bankIntent.tenant} = ${accountClosure.tenant}
    and ${bankIntent.id} = ${accountClosure.intentId} where ${accountClosure.tenant} = ${account.tenant}
    and ${accountClosure.accountRef} = ${account.ref} and ${bankIntent.state} = 'DONE' and ${bankIntent.contradictedAt} is null
    and ${bankIntent.finishedAt} < ${before(days)})`;
  const isLookedUp = sql`exists (select 1 from ${account} where ${account.tenant} = ${onboarding.tenant}
    and ${account.accountId} = ${onboarding.accountId})`;
  return sql`not exists (select 1 from ${account} where ${isTheirs(account)} and not ${isClosed})
    and not exists (select 1 from ${onboarding} where ${isTheirs(onboarding)} and ${onboarding.accountId} is not null and not ${isLookedUp})`;
}

/** The holder of a case, by its id. */
const holderOfCase = (tenant: PgColumn, kycUUID: SQL | PgColumn): Holder => ({
  tenant,
  hashes: sql`(select ${kycStart.documentHash} from ${kycStart} where ${kycStart.tenant} = ${tenant} and ${kycStart.kycUUID} = ${kycUUID})`,
  masks: sql`(select ${kycCase.vatNumber} from ${kycCase} where ${kycCase.tenant} = ${tenant} and ${kycCase.kycUUID} = ${kycUUID})`,
});

/** The holder of what something was put to: `kyc:<kycUUID>`, `onboarding:<id>`. */
function holderOfObject(tenant: PgColumn, object: PgColumn): Holder {
  const ofCase = holderOfCase(tenant, sql`substring(${object} from '^kyc:(.*)$')`);
  const own = (column: PgColumn) =>
    sql`select ${column} from ${onboarding} where ${onboarding.tenant} = ${tenant} and 'onboarding:' || ${onboarding.id} = ${object}`;
  return {
    tenant,
    hashes: sql`(${ofCase.hashes} union all ${own(onboarding.documentHash)})`,
    masks: sql`(${ofCase.masks} union all ${own(onboarding.documentMask)})`,
  };
}

const relationshipDays = () => Math.ceil(env().retentionYears * DAYS_OF_A_YEAR);

/** Everything that grows and holds something of people, with how long it stays: the one place that says so. */
export const RETENTION_CLASSES: readonly RetentionClass[] = [
  { name: "calls", days: () => 30, parts: [{ table: bankCall, isDue: (days) => lt(bankCall.at, before(days)) }] },
  {
    name: "webhooks",
    days: () => 30,
    parts: [{ table: webhookEvent, isDue: (days) => lt(webhookEvent.receivedAt, before(days)) }],
  },
  {
    name: "open-pages",
    days: () => 1,
    parts: [{ table: customerLook, isDue: (days) => lt(customerLook.seenAt, before(days)) }],
  },
  {
    name: "drafts",
    days: () => 7,
    parts: [{ table: draft, isDue: (days) => lt(draft.savedAt, before(days)) }],
  },
  {
    name: "sessions",
    days: () => 90,
    parts: [
      {
        table: staffSession,
        isDue: (days) => or(lt(staffSession.endedAt, before(days)), lt(staffSession.expiresAt, before(days))),
      },
    ],
  },
  {
    name: "order-bodies",
    days: () => 180,
    parts: [
      {
        table: bankIntent,
        emptied: { bodySealed: null },
        isDue: (days) =>
          and(
            isNotNull(bankIntent.bodySealed),
            inArray(bankIntent.state, ["DONE", "REFUSED"]),
            lt(bankIntent.finishedAt, before(days)),
          ),
      },
    ],
  },
  {
    name: "onboardings",
    days: relationshipDays,
    parts: [
      {
        table: onboarding,
        // One that led to an account is part of a relationship that nobody told us has ended.
        isDue: (days) =>
          and(
            eq(onboarding.status, "ERROR"),
            sql`${onboarding.accountId} is null`,
            lt(onboarding.changedAt, before(days)),
          ),
      },
      {
        table: onboardingRequest,
        // What came of one goes before it.
        isDue: (days) => and(isNull(onboardingRequest.onboardingId), lt(onboardingRequest.createdAt, before(days))),
      },
    ],
  },
  {
    name: "kyc",
    days: relationshipDays,
    parts: [
      {
        table: dossier,
        isDue: (days) =>
          and(
            lt(dossier.createdAt, before(days)),
            isRelationOver(holderOfObject(dossier.tenant, dossier.object), days),
          ),
      },
      {
        table: kycDecision,
        isDue: (days) =>
          and(
            lt(kycDecision.createdAt, before(days)),
            isRelationOver(holderOfCase(kycDecision.tenant, kycDecision.kycUUID), days),
          ),
      },
      {
        table: kycEvent,
        isDue: (days) =>
          and(lt(kycEvent.at, before(days)), isRelationOver(holderOfCase(kycEvent.tenant, kycEvent.kycUUID), days)),
      },
      // By these two a case is known to be of a holder: they go last.
      {
        table: kycStart,
        isDue: (days) =>
          and(
            lt(kycStart.createdAt, before(days)),
            isRelationOver(
              { ...holderOfCase(kycStart.tenant, kycStart.kycUUID), hashes: sql`(${kycStart.documentHash})` },
              days,
            ),
          ),
      },
      {
        table: kycCase,
        isDue: (days) =>
          and(
            inArray(kycCase.status, ["APPROVED", "REPROVED"]),
            lt(kycCase.changedAt, before(days)),
            isRelationOver(
              { ...holderOfCase(kycCase.tenant, kycCase.kycUUID), masks: sql`(${kycCase.vatNumber})` },
              days,
            ),
          ),
      },
    ],
  },
  {
    name: "casework",
    days: relationshipDays,
    parts: [
      {
        table: caseworkNote,
        isDue: (days) =>
          and(
            lt(caseworkNote.createdAt, before(days)),
            isOfQuietRecord(caseworkNote.object, caseworkNote.tenant, days),
            isRelationOver(holderOfObject(caseworkNote.tenant, caseworkNote.object), days),
          ),
      },
      {
        // What is in a file goes with its row.
        table: caseworkFile,
        isDue: (days) =>
          and(
            lt(caseworkFile.createdAt, before(days)),
            isOfQuietRecord(caseworkFile.object, caseworkFile.tenant, days),
            isRelationOver(holderOfObject(caseworkFile.tenant, caseworkFile.object), days),
          ),
      },
    ],
  },
  {
    name: "reveals",
    days: relationshipDays,
    parts: [{ table: reveal, isDue: (days) => lt(reveal.createdAt, before(days)) }],
  },
  { name: "approvals", days: () => null, parts: [] },
  { name: "audit", days: () => null, parts: [] },
];

/** Whether it goes by itself, a day at a time. */
export function isShort({ days }: RetentionClass): boolean {
  const kept = days();
  return kept !== null && kept <= SHORT_DAYS;
}
