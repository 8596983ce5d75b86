import { and, eq, inArray, isNotNull, isNull, lt, or, type SQL, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import { accountClosure, accountEntry } from "@/lib/db/tables/accounts";
import { record } from "@/lib/audit/record";
import { staffSession } from "@/lib/db/tables/auth";
import { providerCall, providerIntent } from "@/lib/db/tables/provider";
import { caseworkFile, caseworkNote } from "@/lib/db/tables/notes";
import { deposit } from "@/lib/db/tables/deposits";
import { dossier } from "@/lib/db/tables/dossiers";
import { draft } from "@/lib/db/tables/drafts";
import { kycCase, kycDecision, kycEvent, kycStart } from "@/lib/db/tables/kyc";
import { INCIDENT_DAYS } from "@/lib/db/enums/health";
import { healthIncident } from "@/lib/db/tables/health";
import { movementExport } from "@/lib/db/tables/movements";
import { KEPT_DAYS } from "@/lib/db/enums/movements";
import { onboardingRequest } from "@/lib/db/tables/onboarding";
import { positionReading } from "@/lib/db/tables/position";
import { PARTS_DAYS } from "@/lib/db/enums/position";
import { env } from "@/lib/settings/env";
import { account, onboarding } from "@/lib/db/tables/customers";
import type { Db, Tx } from "@/lib/db/connection";
import { payee, transferPayee } from "@/lib/db/tables/transfers";
import { chainMovement, cryptoOrder, wallet, walletRequest } from "@/lib/db/tables/wallets";
import { DAYS_OF_A_YEAR } from "@/lib/text/time";
import { expectedEvent, receiverDrill, webhookEvent, webhookRefusal, webhookReplay } from "@/lib/db/tables/webhooks";
import { suspicion } from "@/lib/db/tables/suspicions";
import { customerAccess, reveal, revealAlarm } from "@/lib/db/tables/privacy";
import type { RetentionClassName } from "./view";

/** Beyond a year, people start the run. */
const SHORT_DAYS = 366;

type Part = {
  table: PgTable & { tenant: PgColumn };
  isDue: (days: number) => SQL | undefined;
  /** Set to null in the row; by default the row is deleted. */
  emptied?: Record<string, null>;
  /** Fewer when a row carries megabytes. */
  atOnce?: number;
};

type RetentionClass = {
  name: RetentionClassName;
  days: () => number | null;
  parts: readonly Part[];
};

const before = (days: number) => sql`clock_timestamp() - ${days} * interval '1 day'`;
/** Casework stays as long as its case. */
const isOfQuietRecord = (object: PgColumn, tenant: PgColumn, days: number) =>
  sql`not exists (select 1 from ${kycEvent} where ${kycEvent.tenant} = ${tenant}
    and ${object} = 'kyc:' || ${kycEvent.kycUUID} and ${kycEvent.at} >= ${before(days)})`;

/** By the hash of a document typed here, or by the provider's mask. */
type Holder = { tenant: PgColumn; hashes: SQL; masks: SQL };

/** No account of theirs is open or recently closed; an account not looked up yet counts as open. */
function isRelationOver({ tenant, hashes, masks }: Holder, days: number): SQL {
  const isTheirs = (table: typeof account | typeof onboarding) =>
    sql`${table.tenant} = ${tenant} and (${table.documentHash} in ${hashes} or ${table.documentMask} in ${masks})`;
  const isClosed = sql`exists (select 1 from ${accountClosure} join ${providerIntent} on ${providerIntent.tenant} = ${accountClosure.tenant}
    and ${providerIntent.id} = ${accountClosure.intentId} where ${accountClosure.tenant} = ${account.tenant}
    and ${accountClosure.accountRef} = ${account.ref} and ${providerIntent.state} = 'DONE' and ${providerIntent.contradictedAt} is null
    and ${providerIntent.finishedAt} < ${before(days)})`;
  const isLookedUp = sql`exists (select 1 from ${account} where ${account.tenant} = ${onboarding.tenant}
    and ${account.accountId} = ${onboarding.accountId})`;
  return sql`not exists (select 1 from ${account} where ${isTheirs(account)} and not ${isClosed})
    and not exists (select 1 from ${onboarding} where ${isTheirs(onboarding)} and ${onboarding.accountId} is not null and not ${isLookedUp})`;
}

const holderOfCase = (tenant: PgColumn, kycUUID: SQL | PgColumn): Holder => ({
  tenant,
  hashes: sql`(select ${kycStart.documentHash} from ${kycStart} where ${kycStart.tenant} = ${tenant} and ${kycStart.kycUUID} = ${kycUUID})`,
  masks: sql`(select ${kycCase.vatNumber} from ${kycCase} where ${kycCase.tenant} = ${tenant} and ${kycCase.kycUUID} = ${kycUUID})`,
});

function holderOfObject(tenant: PgColumn, object: PgColumn): Holder {
  const ofCase = holderOfCase(tenant, sql`substring(${object} from '^kyc:(.*)$')`);
  const own = (column: "documentHash" | "documentMask") =>
    sql`select ${onboarding[column]} from ${onboarding} where ${onboarding.tenant} = ${tenant} and 'onboarding:' || ${onboarding.id} = ${object}
    union all select ${account[column]} from ${account} where ${account.tenant} = ${tenant} and 'account:' || ${account.ref} = ${object}`;
  return {
    tenant,
    hashes: sql`(${ofCase.hashes} union all ${own("documentHash")})`,
    masks: sql`(${ofCase.masks} union all ${own("documentMask")})`,
  };
}

const relationshipDays = () => Math.ceil(env().retentionYears * DAYS_OF_A_YEAR);

/** How long each kind of data is kept; no other place says it. */
export const RETENTION_CLASSES: readonly RetentionClass[] = [
  {
    name: "calls",
    days: () => 30,
    parts: [{ table: providerCall, isDue: (days) => lt(providerCall.at, before(days)) }],
  },
  {
    name: "webhooks",
    days: () => 30,
    parts: [
      { table: webhookEvent, isDue: (days) => lt(webhookEvent.receivedAt, before(days)) },
      { table: expectedEvent, isDue: (days) => lt(expectedEvent.seenAt, before(days)) },
      { table: receiverDrill, isDue: (days) => lt(receiverDrill.untilAt, before(days)) },
      { table: webhookRefusal, isDue: (days) => lt(webhookRefusal.at, before(days)) },
      // Its deliveries are deleted with it; who started it stays audited.
      { table: webhookReplay, isDue: (days) => lt(webhookReplay.finishedAt, before(days)) },
    ],
  },
  {
    name: "incidents",
    days: () => INCIDENT_DAYS,
    parts: [{ table: healthIncident, isDue: (days) => lt(healthIncident.endedAt, before(days)) }],
  },
  {
    name: "open-pages",
    days: () => 1,
    parts: [{ table: customerAccess, isDue: (days) => lt(customerAccess.seenAt, before(days)) }],
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
    // The books need the payees as long as the rest.
    name: "order-bodies",
    days: relationshipDays,
    parts: [
      {
        table: providerIntent,
        emptied: { bodySealed: null, saidSealed: null },
        isDue: (days) =>
          and(
            or(isNotNull(providerIntent.bodySealed), isNotNull(providerIntent.saidSealed)),
            inArray(providerIntent.state, ["DONE", "REFUSED"]),
            lt(providerIntent.finishedAt, before(days)),
          ),
      },
      { table: transferPayee, isDue: (days) => lt(transferPayee.orderedAt, before(days)) },
      { table: cryptoOrder, isDue: (days) => lt(cryptoOrder.orderedAt, before(days)) },
    ],
  },
  {
    name: "payees",
    days: () => 180,
    parts: [
      // One that is paid again within the term stays.
      { table: payee, isDue: (days) => lt(sql`coalesce(${payee.paidAt}, ${payee.savedAt})`, before(days)) },
    ],
  },
  {
    name: "wallet-references",
    days: relationshipDays,
    parts: [
      {
        table: walletRequest,
        emptied: { referenceHash: null, referenceSealed: null, customerHash: null, customerSealed: null },
        // Only this row says whose the address is, so it stays while anything moves there.
        isDue: (days) =>
          and(
            or(isNotNull(walletRequest.referenceSealed), isNotNull(walletRequest.customerSealed)),
            lt(walletRequest.createdAt, before(days)),
            sql`not exists (select 1 from ${wallet} join ${chainMovement} on ${chainMovement.tenant} = ${wallet.tenant}
              and ${chainMovement.walletId} = ${wallet.id} where ${wallet.tenant} = ${walletRequest.tenant}
              and (${wallet.id} = ${walletRequest.walletId} or lower(${wallet.address}) = lower(${walletRequest.address}))
              and ${chainMovement.at} >= ${before(days)})`,
          ),
      },
      {
        table: wallet,
        emptied: { referenceHash: null, referenceSealed: null },
        isDue: (days) =>
          and(
            isNotNull(wallet.referenceSealed),
            lt(wallet.createdAt, before(days)),
            sql`not exists (select 1 from ${chainMovement} where ${chainMovement.tenant} = ${wallet.tenant}
              and ${chainMovement.walletId} = ${wallet.id} and ${chainMovement.at} >= ${before(days)})`,
          ),
      },
      {
        table: deposit,
        emptied: { referenceHash: null, referenceSealed: null, noteSealed: null },
        isDue: (days) =>
          and(or(isNotNull(deposit.referenceSealed), isNotNull(deposit.noteSealed)), lt(deposit.at, before(days))),
      },
    ],
  },
  {
    name: "entries",
    days: () => env().entriesDays,
    parts: [{ table: accountEntry, isDue: (days) => lt(accountEntry.at, before(days)) }],
  },
  {
    name: "movements",
    days: () => KEPT_DAYS,
    // Its pieces are deleted with it; the SHA-256 stays audited.
    parts: [{ table: movementExport, atOnce: 1, isDue: (days) => lt(movementExport.finishedAt, before(days)) }],
  },
  {
    name: "positions",
    days: () => PARTS_DAYS,
    // The sums stay.
    parts: [{ table: positionReading, isDue: (days) => lt(positionReading.triedAt, before(days)) }],
  },
  {
    name: "onboardings",
    days: relationshipDays,
    parts: [
      {
        table: onboarding,
        // One that led to an account belongs to a relationship that may still exist.
        isDue: (days) =>
          and(
            eq(onboarding.status, "ERROR"),
            sql`${onboarding.accountId} is null`,
            lt(onboarding.changedAt, before(days)),
          ),
      },
      {
        table: onboardingRequest,
        // Its result is deleted first.
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
      // These two link a case to its holder, so they go last.
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
        // Its steps are deleted with it.
        table: suspicion,
        isDue: (days) =>
          and(inArray(suspicion.state, ["reported", "dismissed"]), lt(suspicion.changedAt, before(days))),
      },
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
        // The content is deleted with its row.
        table: caseworkFile,
        atOnce: 10,
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
    parts: [
      { table: reveal, isDue: (days) => lt(reveal.createdAt, before(days)) },
      { table: revealAlarm, isDue: (days) => lt(revealAlarm.endedAt, before(days)) },
    ],
  },
  { name: "approvals", days: () => null, parts: [] },
  { name: "audit", days: () => null, parts: [] },
];

/** Deleted automatically each day. */
function isShort({ days }: RetentionClass): boolean {
  const stored = days();
  return stored !== null && stored <= SHORT_DAYS;
}

const BATCH_ROWS = 1_000;

export type ClassState = {
  name: RetentionClassName;
  days: number | null;
  isShort: boolean;
  due: number;
};

const isDueAt = (tenant: string, { table, isDue }: Part, days: number) => and(eq(table.tenant, tenant), isDue(days));

async function countDue(db: Db, tenant: string, { days, parts }: RetentionClass): Promise<number> {
  const stored = days();
  if (stored === null) return 0;
  let due = 0;
  for (const part of parts) due += await db.$count(part.table, isDueAt(tenant, part, stored));
  return due;
}

export async function readRetention(db: Db, tenant: string): Promise<ClassState[]> {
  const states: ClassState[] = [];
  for (const one of RETENTION_CLASSES) {
    const due = await countDue(db, tenant, one);
    states.push({ name: one.name, days: one.days(), isShort: isShort(one), due });
  }
  return states;
}

async function takeBatch(tx: Tx, { table, emptied, atOnce }: Part, isDue: SQL | undefined): Promise<number> {
  // By ctid: the tables share no key, and it is stable within one statement.
  const batch = sql`ctid = any(array(select ctid from ${table} where ${isDue} limit ${atOnce ?? BATCH_ROWS} for update skip locked))`;
  const taken =
    emptied === undefined
      ? await tx
          .delete(table)
          .where(batch)
          .returning({ one: sql`1` })
      : await tx
          .update(table)
          .set(emptied)
          .where(batch)
          .returning({ one: sql`1` });
  return taken.length;
}

type Run = { tenant: string; by: string };

/** Each batch is audited; returns the number of rows. */
async function runClass(db: Db, { tenant, by }: Run, { name, days, parts }: RetentionClass): Promise<number> {
  const stored = days();
  if (stored === null) return 0;
  let rows = 0;
  for (const part of parts) {
    let taken: number;
    do {
      taken = await db.transaction(async (tx) => {
        const batch = await takeBatch(tx, part, isDueAt(tenant, part, stored));
        const detail = { class: name, days: stored, rows: batch };
        if (batch > 0) await record(tx, { tenant, actor: by, code: "retention.run", outcome: "DONE", detail });
        return batch;
      });
      rows += taken;
    } while (taken === (part.atOnce ?? BATCH_ROWS));
  }
  return rows;
}

/** `isDaily`: only what is deleted automatically. Returns rows by class. */
export async function runRetention(
  db: Db,
  run: Run & { isDaily: boolean },
): Promise<{ name: RetentionClassName; rows: number }[]> {
  const taken: { name: RetentionClassName; rows: number }[] = [];
  for (const one of RETENTION_CLASSES) {
    if (run.isDaily && !isShort(one)) continue;
    taken.push({ name: one.name, rows: await runClass(db, run, one) });
  }
  return taken;
}
