import { and, desc, eq, inArray, sql } from "drizzle-orm";
import { getLocale, getTranslations } from "next-intl/server";
import { z } from "zod";
import type { AuditCode } from "@/lib/audit/codes";
import { record } from "@/lib/audit/record";
import { staffMembership } from "@/lib/db/tables/auth";
import { AppError } from "@/lib/errors/app-error";
import { isStorable } from "@/lib/contract/shared";
import { kycCase, kycStart } from "@/lib/db/tables/kyc";
import { shownStartOf } from "@/lib/db/started-case";
import { type Download, query } from "@/lib/query";
import { shownAccountDocument, shownOnboardingDocument } from "@/lib/db/document";
import { staff } from "@/lib/db/tables/staff";
import { account, onboarding } from "@/lib/db/tables/customers";
import { auditEvent } from "@/lib/db/tables/audit";
import { shownSealed } from "@/lib/db/seal";
import { type Db, db } from "@/lib/db/connection";
import { CSV_START, csvLine, csvMinute, csvName } from "@/lib/text/csv";
import { isUuid } from "@/lib/text/decode";
import type { Locale } from "@/lib/text/format";
import { isUnopened } from "@/lib/text/provider-word";
import { type ClassState, readRetention } from "./retention";
import { CLEAR_CODES } from "./reveal";
import { type AccessPeriod, type CustomerRecord, revealedObject } from "./inputs";
import { reveal } from "@/lib/db/tables/privacy";
import { CUSTOMER_KINDS, type CustomerObject, type RevealReason } from "@/lib/db/enums/privacy";
import { readAlarmBounds } from "./alarm-bounds";
import { listAlarms as readAlarms } from "./reveal-alarms";
import type { AlarmRow } from "./alarm-view";
import { REVEAL_FIELDS, type RevealField } from "./view";
import { retentionWatch } from "./watch";
import { freshness } from "@/lib/db/watch-state";

/** Null without such a record, and for a case started elsewhere. */
async function hashesAt(store: Db, tenant: string, { kind, id }: CustomerRecord): Promise<string[] | null> {
  if (kind === "kyc") return (await shownStartOf(store, tenant, id))?.hashes ?? null;
  if (!isUuid(id)) return null;
  if (kind === "account") {
    const [row] = await store
      .select()
      .from(account)
      .where(and(eq(account.tenant, tenant), eq(account.ref, id)));
    return row === undefined ? null : shownAccountDocument(row).hashes;
  }
  const [row] = await store
    .select()
    .from(onboarding)
    .where(and(eq(onboarding.tenant, tenant), eq(onboarding.id, id)));
  return row === undefined ? null : shownOnboardingDocument(row).hashes;
}

async function objectsWith(store: Db, tenant: string, hashes: string[]): Promise<CustomerObject[]> {
  const accounts = await store
    .select({ id: account.ref })
    .from(account)
    .where(and(eq(account.tenant, tenant), inArray(account.documentHash, hashes)));
  const onboardings = await store
    .select({ id: onboarding.id })
    .from(onboarding)
    .where(and(eq(onboarding.tenant, tenant), inArray(onboarding.documentHash, hashes)));
  const starts = await store
    .select({ id: kycStart.kycUUID })
    .from(kycStart)
    .where(and(eq(kycStart.tenant, tenant), inArray(kycStart.documentHash, hashes)));
  return [
    ...accounts.map(({ id }) => revealedObject({ kind: "account", id })),
    ...onboardings.map(({ id }) => revealedObject({ kind: "onboarding", id })),
    ...starts.flatMap(({ id }) => (id === null ? [] : [revealedObject({ kind: "kyc", id })])),
  ];
}

/** By document; null without such a record. A case started elsewhere stands alone, as its document is masked. */
async function objectsOfCustomer(store: Db, tenant: string, one: CustomerRecord): Promise<CustomerObject[] | null> {
  const hashes = await hashesAt(store, tenant, one);
  if (hashes !== null) return objectsWith(store, tenant, hashes);
  if (one.kind !== "kyc") return null;
  const isIt = and(eq(kycCase.tenant, tenant), eq(kycCase.kycUUID, one.id));
  return (await store.$count(kycCase, isIt)) === 0 ? null : [revealedObject(one)];
}

type Say = Awaited<ReturnType<typeof getTranslations<never>>>;

type CsvContext = { say: Say; locale: Locale; names: Names };

async function* linesOf(accesses: readonly AccessRow[], { say, locale, names }: CsvContext): AsyncGenerator<string> {
  const recordOf = (object: string) => {
    const kind = CUSTOMER_KINDS.find((one) => object.startsWith(`${one}:`));
    const name = names[object];
    return kind === undefined || name === undefined ? object : `${say(`audit.objects.${kind}`)} ${name}`;
  };
  const columns = ["seq", "at", "who", "staffId", "what", "record", "field", "reason", "note"] as const;
  yield (
    CSV_START +
    csvLine(
      columns.map((column) => say(`privacy.columns.${column}`)),
      locale,
    )
  );
  for (const { seq, at, byName, by, code, object, shown, reason } of accesses) {
    const field = shown === null ? null : (shown.path ?? say(`audit.values.field.${shown.field}`));
    const why =
      reason === null
        ? [null, null]
        : [say(`privacy.reasons.${reason.choice}`), isUnopened(reason.note) ? say("common.unopened") : reason.note];
    yield csvLine(
      [seq, csvMinute(at, locale), byName, by, say(`audit.codes.${code}`), recordOf(object), field, ...why],
      locale,
    );
  }
}

type Names = Readonly<Record<string, string>>;

export async function accessFile(
  { kind }: CustomerRecord,
  accesses: readonly AccessRow[],
  names: Names,
): Promise<Download> {
  const [say, locale] = await Promise.all([getTranslations(), getLocale()]);
  const parts = linesOf(accesses, { say, locale, names });
  return { fileName: csvName(say(`privacy.files.${kind}`), locale), contentType: "text/csv; charset=utf-8", parts };
}

const SHOWN_ROWS = 20;
/** Far more than one customer's accesses. */
const EXPORTED_ROWS = 100_000;

const LOOK_CODES = [
  ...CLEAR_CODES,
  "customer.view",
  "customer.search",
  "personal-data.export",
  "statement.export",
  "casework.file-open",
  "accounts.look-up",
  "onboarding.check",
  "onboarding.follow",
  "onboarding.link",
] as const satisfies readonly AuditCode[];
type LookCode = (typeof LOOK_CODES)[number];

export type AccessRow = {
  seq: number;
  at: string;
  code: LookCode;
  byName: string | null;
  by: string;
  object: string;
  /** The field that was revealed; `path`: of the provider's record. */
  shown: { field: RevealField; path: string | null } | null;
  reason: { choice: RevealReason; note: string } | null;
};

const Shown = z.object({ field: z.enum(REVEAL_FIELDS), path: z.string().nullable().default(null) });

const isLookCode = (code: string): code is LookCode => LOOK_CODES.some((known) => known === code);

type AccessQuery = { tenant: string; objects: readonly string[]; period: AccessPeriod; limit: number };

const civilStart = (day: string) => sql`${day}::timestamp at time zone 'America/Sao_Paulo'`;

async function readAccesses(store: Db, { tenant, objects, period, limit }: AccessQuery): Promise<AccessRow[]> {
  const { seenFrom, seenTo } = period;

  const { seq, at, code, actor, object, intentId, detail } = auditEvent;
  const isMember = and(sql`${staffMembership.staffId}::text = ${actor}`, eq(staffMembership.tenant, auditEvent.tenant));
  const rows = await store
    .select({ seq, at, code, by: actor, object, detail, byName: staff.name, reveal })
    .from(auditEvent)
    .leftJoin(staffMembership, isMember)
    .leftJoin(staff, eq(staff.id, staffMembership.staffId))
    .leftJoin(reveal, and(eq(reveal.id, intentId), eq(reveal.tenant, auditEvent.tenant)))
    .where(
      and(
        eq(auditEvent.tenant, tenant),
        inArray(object, [...objects]),
        inArray(code, [...LOOK_CODES]),
        seenFrom === undefined ? undefined : sql`${at} >= ${civilStart(seenFrom)}`,
        seenTo === undefined ? undefined : sql`${at} < ${civilStart(seenTo)} + interval '1 day'`,
      ),
    )
    .orderBy(desc(seq))
    .limit(limit);
  return rows.flatMap(({ reveal: why, detail: told, ...row }) => {
    if (!isLookCode(row.code)) return [];
    const reason = why === null ? null : reasonOf(why);
    const shown = row.code === "personal-data.reveal" ? (Shown.safeParse(told).data ?? null) : null;
    return [{ ...row, code: row.code, object: row.object ?? "", at: row.at.toISOString(), shown, reason }];
  });
}

export type Reason = NonNullable<AccessRow["reason"]>;

const reasonOf = ({ id, reason, noteSealed }: typeof reveal.$inferSelect): Reason => ({
  choice: reason,
  note: shownSealed(noteSealed, { column: "reveal.note_sealed", row: [id] }),
});

export async function readReasons(
  { tenant }: { tenant: string },
  ids: readonly string[],
): Promise<Record<string, Reason>> {
  const isIt = and(eq(reveal.tenant, tenant), inArray(reveal.id, ids.filter(isUuid)));
  const rows = await (await db()).select().from(reveal).where(isIt);
  return Object.fromEntries(rows.map((row) => [row.id, reasonOf(row)]));
}

export const listReasons = query("audit:read", readReasons);

export const listAccesses = query(
  "audit:read",
  async ({ tenant }, one: CustomerRecord, period: AccessPeriod = {}): Promise<AccessRow[] | null> => {
    if (!isStorable(one.id)) return null;
    const store = await db();
    const objects = await objectsOfCustomer(store, tenant, one);
    return objects === null ? null : readAccesses(store, { tenant, objects, period, limit: SHOWN_ROWS });
  },
);

/** Of this case alone, not of the customer's other records. */
export const listCaseAccesses = query(
  "kyc:decide",
  async ({ tenant }, id: string, period: AccessPeriod = {}): Promise<AccessRow[] | null> => {
    const store = await db();
    const one = { kind: "kyc", id } as const;
    if (!isStorable(id) || (await objectsOfCustomer(store, tenant, one)) === null) return null;
    return readAccesses(store, { tenant, objects: [revealedObject(one)], period, limit: SHOWN_ROWS });
  },
);

/** Audited first. Throws not-found. */
export const exportAccesses = query(
  "audit:export",
  async (actor, one: CustomerRecord, period: AccessPeriod = {}): Promise<AccessRow[]> => {
    const { tenant, id } = actor;
    const store = await db();
    const objects = isStorable(one.id) ? await objectsOfCustomer(store, tenant, one) : null;
    if (objects === null) throw new AppError("not-found");
    const rows = await readAccesses(store, { tenant, objects, period, limit: EXPORTED_ROWS });
    await record(store, {
      tenant,
      actor: id,
      code: "personal-data.export",
      outcome: "DONE",
      object: revealedObject(one),
      detail: { what: "looks", rows: rows.length, seenFrom: period.seenFrom ?? null, seenTo: period.seenTo ?? null },
    });
    return rows;
  },
);

export type Retention = {
  classes: ClassState[];
  lastRunAt: string | null;
};

export const getRetention = query("settings:manage", async ({ tenant }): Promise<Retention> => {
  const classes = await readRetention(await db(), tenant);
  return { classes, lastRunAt: (await freshness(tenant, retentionWatch.name)).asOf };
});

export const listAlarms = query("audit:read", async (actor): Promise<AlarmRow[]> => readAlarms(await db(), actor));

export const getAlarmBounds = query("settings:manage", readAlarmBounds);
