import { and, desc, eq, inArray, or, type SQL, sql } from "drizzle-orm";
import { isAccount } from "@/lib/accounts/look-up";
import { KYC_STATUSES } from "@/lib/contract/kyc";
import { ONBOARDING_STATUSES } from "@/lib/contract/onboarding";
import { maskDocument } from "@/lib/contract/document";
import { casesOf, startedNames } from "@/lib/kyc/records";
import { dossier } from "@/lib/db/tables/dossiers";
import { customerAccess } from "@/lib/db/tables/privacy";
import type { CustomerKind } from "@/lib/db/enums/privacy";
import { shownAccountDocument, shownOnboardingDocument } from "@/lib/db/document";
import { account, onboarding } from "@/lib/db/tables/customers";
import { kycCase } from "@/lib/db/tables/kyc";
import { lookupHashes } from "@/lib/db/seal";
import type { Db } from "@/lib/db/connection";
import type { SearchHit } from "./view";
import { type Searcher, MAX, type Translator, type AskedSearch, isId } from "./asked";

/** Matches a document by its hash or mask, or a masked name; undefined for an id. */
function isHolder(table: typeof account | typeof onboarding, { document, mask, typed }: AskedSearch): SQL | undefined {
  if (document !== null) return inArray(table.documentHash, lookupHashes(document));
  if (mask === null) return undefined;
  return mask.shown === null ? eq(account.holder, typed) : eq(table.documentMask, mask.shown);
}

/** A known word in the person's language, any other as the provider wrote it. */
function caseState(t: Translator, status: string): string {
  const known = KYC_STATUSES.find((one) => one === status);
  return known === undefined ? status : t(`kyc.status.${known}`);
}

function onboardingState(t: Translator, status: string): string {
  const known = ONBOARDING_STATUSES.find((one) => one === status);
  return known === undefined ? status : t(`onboarding.status.${known}`);
}

const accountHit = (row: typeof account.$inferSelect, t: Translator): SearchHit => ({
  group: "accounts",
  href: `/accounts/${row.ref}`,
  title: `${row.branch} / ${row.number}`,
  state: row.standing === "UNKNOWN" ? row.statusWord : t(`standings.${row.standing}`),
  detail: [row.holder, shownAccountDocument(row).mask].filter((text) => text !== null).join(" · "),
});

type OnboardingRow = typeof onboarding.$inferSelect;
type AccountOf = Pick<typeof account.$inferSelect, "holder" | "branch" | "number"> | null;

/** The person as far as known: initials and kind, then the account and the id. */
function onboardingHit(row: OnboardingRow, its: AccountOf, t: Translator): SearchHit {
  const who = [its?.holder, t(`onboarding.kinds.${row.kind}`), shownOnboardingDocument(row).mask];
  const number = its === null ? null : `${its.branch} / ${its.number}`;
  return {
    group: "onboarding",
    href: `/onboarding/${row.id}`,
    title: who.filter(Boolean).join(" · "),
    state: onboardingState(t, row.status),
    detail: [number, row.onBoardingId].filter(Boolean).join(" · "),
  };
}

/** With the account that it led to. */
const onboardingsOf = (store: Db) =>
  store
    .select({ row: onboarding, its: { holder: account.holder, branch: account.branch, number: account.number } })
    .from(onboarding)
    .leftJoin(account, and(eq(account.tenant, onboarding.tenant), eq(account.accountId, onboarding.accountId)));

const CASE = {
  kycUUID: kycCase.kycUUID,
  vatNumber: kycCase.vatNumber,
  status: kycCase.status,
  kycType: kycCase.kycType,
};
type CaseRow = Pick<typeof kycCase.$inferSelect, keyof typeof CASE>;

const kindWord = (t: Translator, kind: string) =>
  kind === "PF" || kind === "PJ" ? t(`onboarding.kinds.${kind}`) : null;

const caseHit = ({ kycUUID, vatNumber, status, kycType }: CaseRow, whose: string | null, t: Translator): SearchHit => ({
  group: "kyc",
  href: `/kyc/${encodeURIComponent(kycUUID)}`,
  title: [whose, kindWord(t, kycType), vatNumber].filter((text) => text !== null).join(" · "),
  state: caseState(t, status),
  detail: kycUUID,
});

export async function accounts(asked: AskedSearch): Promise<SearchHit[]> {
  const { store, tenant, typed, t } = asked;
  const isIt = isHolder(account, asked) ?? or(isAccount(typed), isId(account.ref, typed), isId(account.userId, typed));
  const rows = await store
    .select()
    .from(account)
    .where(and(eq(account.tenant, tenant), isIt))
    .orderBy(desc(account.firstSeenAt))
    .limit(MAX + 1);
  return rows.map((row) => accountHit(row, t));
}

export async function onboardings(asked: AskedSearch): Promise<SearchHit[]> {
  const { store, tenant, typed, t } = asked;
  const { id, onBoardingId, traceId } = onboarding;
  const isIt = isHolder(onboarding, asked) ?? or(isId(onBoardingId, typed), isId(id, typed), isId(traceId, typed));
  const rows = await onboardingsOf(store)
    .where(and(eq(onboarding.tenant, tenant), isIt))
    .orderBy(desc(onboarding.seq))
    .limit(MAX + 1);
  return rows.map(({ row, its }) => onboardingHit(row, its, t));
}

async function caseHits({ store, tenant, t }: Pick<AskedSearch, "store" | "tenant" | "t">, rows: readonly CaseRow[]) {
  const ids = rows.map(({ kycUUID }) => kycUUID);
  const names = ids.length === 0 ? null : await startedNames(store, tenant, ids);
  return rows.map((row) => caseHit(row, names?.get(row.kycUUID) ?? null, t));
}

function isDossierOf({ store, tenant, typed }: AskedSearch): SQL | undefined {
  if (!/^[\da-f]{64}$/i.test(typed)) return undefined;
  const files = store
    .select({ object: dossier.object })
    .from(dossier)
    .where(and(eq(dossier.tenant, tenant), eq(dossier.sha256, typed.toLowerCase())));
  return inArray(sql`'kyc:' || ${kycCase.kycUUID}`, files);
}

export async function cases(asked: AskedSearch): Promise<SearchHit[]> {
  const { store, tenant, typed, document, mask } = asked;
  if (document !== null) {
    const found = await casesOf(store, tenant, { mask: maskDocument(document), hashes: lookupHashes(document) });
    const rows = found.slice(0, MAX + 1);
    const hits = await caseHits(asked, rows);
    return hits.map((hit, nth) => (rows[nth]?.isSure === true ? hit : { ...hit, isPerhaps: true }));
  }
  const shown = mask?.shown ?? null;
  const isIt = shown === null ? or(isId(kycCase.kycUUID, typed), isDossierOf(asked)) : eq(kycCase.vatNumber, shown);
  const rows = await store
    .select(CASE)
    .from(kycCase)
    .where(and(eq(kycCase.tenant, tenant), isIt))
    .orderBy(desc(kycCase.seq))
    .limit(MAX + 1);
  return caseHits(asked, rows);
}

const MAX_RECENT = 6;

/** The customer records that this person opened last, newest first. */
export async function recent({ tenant, id }: Searcher, store: Db, t: Translator): Promise<SearchHit[]> {
  const accesses = await store
    .select({ object: customerAccess.object })
    .from(customerAccess)
    .where(and(eq(customerAccess.tenant, tenant), eq(customerAccess.actor, id)))
    .orderBy(desc(customerAccess.seenAt))
    .limit(MAX_RECENT);
  const named = (kind: CustomerKind) =>
    accesses.flatMap(({ object }) => (object.startsWith(`${kind}:`) ? [object.slice(kind.length + 1)] : []));
  const refs = named("account");
  const onboardingIds = named("onboarding");
  const kycUUIDs = named("kyc");
  const [accountRows, onboardingRows, caseRows] = await Promise.all([
    store
      .select()
      .from(account)
      .where(and(eq(account.tenant, tenant), inArray(account.ref, refs))),
    onboardingsOf(store).where(and(eq(onboarding.tenant, tenant), inArray(onboarding.id, onboardingIds))),
    store
      .select(CASE)
      .from(kycCase)
      .where(and(eq(kycCase.tenant, tenant), inArray(kycCase.kycUUID, kycUUIDs))),
  ]);
  const ofCases = await caseHits({ store, tenant, t }, caseRows);
  const hits = new Map<string, SearchHit>([
    ...accountRows.map((row) => [`account:${row.ref}`, accountHit(row, t)] as const),
    ...onboardingRows.map(({ row, its }) => [`onboarding:${row.id}`, onboardingHit(row, its, t)] as const),
    ...ofCases.map((hit, index) => [`kyc:${caseRows[index]?.kycUUID}`, hit] as const),
  ]);
  return accesses.flatMap(({ object }) => hits.get(object) ?? []);
}
