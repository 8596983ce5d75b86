import { and, desc, eq, ilike, inArray, or, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { type Locale } from "next-intl";
import { getLocale, getTranslations } from "next-intl/server";
import { z } from "zod";
import { isAccount, numberIn } from "@/lib/accounts/look-up";
import { readPixKey } from "@/lib/accounts/inputs";
import type { AuditCode } from "@/lib/audit/codes";
import type { Actor } from "@/lib/permission/grant";
import { can, type Permission } from "@/lib/permission/permission";
import { approval } from "@/lib/db/tables/approvals";
import { isReference } from "@/lib/provider/call-log";
import { ofIntent } from "@/lib/provider/intents/intent-record";
import { sendCryptoTransfer } from "@/lib/provider/operations";
import { providerCall, providerIntent } from "@/lib/db/tables/provider";
import { KYC_STATUSES } from "@/lib/contract/kyc";
import { ONBOARDING_STATUSES } from "@/lib/contract/onboarding";
import { documentsWithin, isCnpj, isCpf, maskDocument } from "@/lib/contract/document";
import { fold, normaliseDocument, pasted } from "@/lib/contract/fold";
import { casesOf, startedNames } from "@/lib/kyc/records";
import { canBeId } from "@/lib/onboarding/inputs";
import { dossier } from "@/lib/db/tables/dossiers";
import { customerAccess } from "@/lib/db/tables/privacy";
import { recordFound } from "@/lib/audit/access-log";
import type { CustomerKind, CustomerObject } from "@/lib/db/enums/privacy";
import { shownAccountDocument, shownOnboardingDocument } from "@/lib/db/document";
import { account, onboarding } from "@/lib/db/tables/customers";
import { kycCase } from "@/lib/db/tables/kyc";
import { auditEvent } from "@/lib/db/tables/audit";
import { lookupHashes } from "@/lib/db/seal";
import { type Db, db } from "@/lib/db/connection";
import { formatBrl, isMasked } from "@/lib/text/format";
import { isUuid } from "@/lib/text/decode";
import { hrefWith } from "@/lib/text/page";
import { stateOfIntent } from "@/lib/transfers/records";
import { transfer } from "@/lib/db/tables/transfers";
import { addressIn, AddressFilter } from "@/lib/wallets/inputs";
import { chainMovement, wallet, walletRequest } from "@/lib/db/tables/wallets";
import { webhookEvent } from "@/lib/db/tables/webhooks";
import type { SearchAnswer, SearchGroup, SearchHit, SearchShape } from "./view";

export const SearchQuery = z.strictObject({ query: z.string().transform(pasted).pipe(z.string().max(200)) });

type Searcher = Actor<"accounts:read">;

/** Of each group; one more is read to know whether there are more. */
const MAX = 5;

const ADDRESS = /^(0x[\da-f]{40}|[13a-km-z][1-9a-z]{25,60}|bc1[\da-z]{20,70}|X[1-9a-z]{46})$/i;

/** Of a transaction on a chain: 64 hexadecimal digits, or as Solana writes its signatures. */
const HASH = /^((0x)?[\da-f]{64}|[1-9a-z]{80,90})$/i;

/** Of a PIX, as the central bank has it: the payer's ISPB, the minute, and eleven signs. */
const END_TO_END = /^[ED]\d{20}[\da-z]{11}$/i;

/** Digits of a document's length, or letters among them where it is written as a CNPJ is. */
const SLIP = /^(\d{3}[.\s]?\d{3}[.\s]?\d{3}[-\s]?\d{2}|\d{14}|[\dA-Z]{2}\.[\dA-Z]{3}\.[\dA-Z]{3}\/[\dA-Z]{4}-\d{2})$/i;

const CPF_MASK = /^\*{3}\.?(\d{3})\.?(\d{3})-?\*{2}$/;
const CNPJ_MASK = /^\*{2}\.?([\dA-Z]{3})\.?([\dA-Z]{3})\/?([\dA-Z]{4})-?\*{2}$/;

function documentMask(typed: string): string | null {
  const text = fold(typed).trim().toUpperCase();
  const shown = CPF_MASK.exec(text) ?? CNPJ_MASK.exec(text);
  return shown === null ? null : maskDocument(`${shown[3] === undefined ? "***" : "**"}${shown.slice(1).join("")}**`);
}

function shapeOf(typed: string): SearchShape | null {
  if (isMasked(typed)) return "mask";
  if (END_TO_END.test(typed)) return "id";
  const document = normaliseDocument(typed);
  if (isCpf(document)) return "cpf";
  if (isCnpj(document)) return "cnpj";
  if (numberIn(typed) !== null) return "number";
  if (isUuid(typed)) return "uuid";
  if (HASH.test(typed)) return "hash";
  if (ADDRESS.test(addressIn(typed))) return "address";
  if (readPixKey(typed) !== null) return "pix-key";
  if (SLIP.test(fold(typed).trim()) || /^(?:\d{11}|\d{14})$/.test(document)) return "slip";
  if (documentsWithin(typed).length > 0) return "slip";
  return canBeId(typed) ? "id" : null;
}

type Asked = {
  store: Db;
  tenant: string;
  typed: string;
  document: string | null;
  /** What was typed is a mask, of a document as it is kept; null: of a name. */
  mask: { shown: string | null } | null;
  t: Words;
  locale: Locale;
};

/** Whoever is meant by a document, by its hash or by its mask, or by a masked name; undefined where an id was typed. */
function isHolder(table: typeof account | typeof onboarding, { document, mask, typed }: Asked): SQL | undefined {
  if (document !== null) return inArray(table.documentHash, lookupHashes(document));
  if (mask === null) return undefined;
  return mask.shown === null ? eq(account.holder, typed) : eq(table.documentMask, mask.shown);
}

const ID_BEGINNING = /^[\da-f]{8}[\da-f-]{0,27}$/i;

/** The id itself, its beginning, or how a screen shortens what is long: `0x9858Ef…caEda94`. */
function isId(column: PgColumn, typed: string): SQL | undefined {
  const [head = "", tail] = typed.split("…");
  const text = sql`lower(${column}::text)`;
  const begins = sql`starts_with(${text}, ${head.toLowerCase()})`;
  if (tail !== undefined)
    return head.length < LEAST_HEAD
      ? sql`false`
      : and(begins, sql`right(${text}, ${tail.length}) = ${tail.toLowerCase()}`);
  if (ID_BEGINNING.test(typed) && !isUuid(typed)) return begins;
  return column.columnType === "PgUUID" && !isUuid(typed) ? sql`false` : eq(column, typed);
}

const LEAST_HEAD = 4;

type Words = Awaited<ReturnType<typeof getTranslations<never>>>;

/** A word that we know in the person's language, any other as the provider wrote it. */
function caseState(t: Words, status: string): string {
  const known = KYC_STATUSES.find((one) => one === status);
  return known === undefined ? status : t(`kyc.status.${known}`);
}

function onboardingState(t: Words, status: string): string {
  const known = ONBOARDING_STATUSES.find((one) => one === status);
  return known === undefined ? status : t(`onboarding.status.${known}`);
}

const accountHit = (row: typeof account.$inferSelect, t: Words): SearchHit => ({
  group: "accounts",
  href: `/accounts/${row.ref}`,
  title: `${row.branch} / ${row.number}`,
  state: row.standing === "UNTOLD" ? row.statusWord : t(`standings.${row.standing}`),
  detail: [row.holder, shownAccountDocument(row).mask].filter((text) => text !== null).join(" · "),
});

type OnboardingRow = typeof onboarding.$inferSelect;
type AccountOf = Pick<typeof account.$inferSelect, "holder" | "branch" | "number"> | null;

/** Who, as far as it is known here: initials and kind, then the account and the id. */
function onboardingHit(row: OnboardingRow, its: AccountOf, t: Words): SearchHit {
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

const kindWord = (t: Words, kind: string) => (kind === "PF" || kind === "PJ" ? t(`onboarding.kinds.${kind}`) : null);

const caseHit = ({ kycUUID, vatNumber, status, kycType }: CaseRow, whose: string | null, t: Words): SearchHit => ({
  group: "kyc",
  href: `/kyc/${encodeURIComponent(kycUUID)}`,
  title: [whose, kindWord(t, kycType), vatNumber].filter((text) => text !== null).join(" · "),
  state: caseState(t, status),
  detail: kycUUID,
});

async function accounts(asked: Asked): Promise<SearchHit[]> {
  const { store, tenant, typed, t } = asked;
  const isIt = isHolder(account, asked) ?? or(isAccount(typed), isId(account.ref, typed));
  const rows = await store
    .select()
    .from(account)
    .where(and(eq(account.tenant, tenant), isIt))
    .orderBy(desc(account.firstSeenAt))
    .limit(MAX + 1);
  return rows.map((row) => accountHit(row, t));
}

async function onboardings(asked: Asked): Promise<SearchHit[]> {
  const { store, tenant, typed, t } = asked;
  const { id, onBoardingId, traceId } = onboarding;
  const isIt = isHolder(onboarding, asked) ?? or(isId(onBoardingId, typed), isId(id, typed), eq(traceId, typed));
  const rows = await onboardingsOf(store)
    .where(and(eq(onboarding.tenant, tenant), isIt))
    .orderBy(desc(onboarding.seq))
    .limit(MAX + 1);
  return rows.map(({ row, its }) => onboardingHit(row, its, t));
}

async function caseHits({ store, tenant, t }: Pick<Asked, "store" | "tenant" | "t">, rows: readonly CaseRow[]) {
  const ids = rows.map(({ kycUUID }) => kycUUID);
  const names = ids.length === 0 ? null : await startedNames(store, tenant, ids);
  return rows.map((row) => caseHit(row, names?.get(row.kycUUID) ?? null, t));
}

function isDossierOf({ store, tenant, typed }: Asked): SQL | undefined {
  if (!/^[\da-f]{64}$/i.test(typed)) return undefined;
  const files = store
    .select({ object: dossier.object })
    .from(dossier)
    .where(and(eq(dossier.tenant, tenant), eq(dossier.sha256, typed.toLowerCase())));
  return inArray(sql`'kyc:' || ${kycCase.kycUUID}`, files);
}

async function cases(asked: Asked): Promise<SearchHit[]> {
  const { store, tenant, typed, document, mask } = asked;
  if (document !== null) {
    const found = await casesOf(store, tenant, { mask: maskDocument(document), hashes: lookupHashes(document) });
    const rows = found.toSorted((one, other) => Number(other.isSure) - Number(one.isSure)).slice(0, MAX + 1);
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

async function transfers({ store, tenant, typed, t, locale }: Asked): Promise<SearchHit[]> {
  const { transactionId, endToEndId, returnId, intentId } = transfer;
  const ids = [transactionId, endToEndId, returnId, intentId, providerIntent.antifraudId];
  const isIt = or(...ids.map((column) => isId(column, typed)));
  const rows = await store
    .select({
      id: transfer.intentId,
      kind: transfer.kind,
      amount: transfer.amount,
      state: stateOfIntent,
      candidateId: transfer.candidateId,
    })
    .from(transfer)
    .innerJoin(providerIntent, ofIntent(transfer))
    .where(and(eq(transfer.tenant, tenant), isIt))
    .orderBy(desc(transfer.createdAt))
    .limit(MAX + 1);
  return rows.map(({ id, kind, amount, state, candidateId }) => ({
    group: "transfers",
    href: `/transfers/${id}`,
    title: `${t(`transfers.kinds.${kind}`)} · ${formatBrl(amount, locale)}`,
    state: state === "HELD" && candidateId !== null ? t("transfers.perhapsReleased") : t(`transfers.states.${state}`),
    detail: typed,
  }));
}

async function wallets({ store, tenant, typed, t }: Asked): Promise<SearchHit[]> {
  // Of hexadecimal addresses the case of a letter is a check alone; other chains tell letters by it.
  const meant = addressIn(typed);
  const isAddress = /^0x[\da-f]+$/i.test(meant) ? ilike(wallet.address, meant) : isId(wallet.address, meant);
  const rows = await store
    .select({ id: wallet.id, address: wallet.address, coin: wallet.coin, status: wallet.status })
    .from(wallet)
    .where(and(eq(wallet.tenant, tenant), or(isId(wallet.id, typed), isAddress)))
    .limit(MAX + 1);
  return rows.map(({ id, address, coin, status }) => ({
    group: "wallets",
    href: `/wallets/${encodeURIComponent(id)}`,
    title: address,
    state: status === "ACTIVE" ? t("wallets.status.ACTIVE") : status,
    detail: coin,
  }));
}

/** Wallets and deposit addresses made here, by the whole reference; until the list has one, by the addresses' own. */
async function walletReferences({ store, tenant, typed, t }: Asked): Promise<SearchHit[]> {
  const { sought } = AddressFilter.parse({ sought: typed });
  if (sought === undefined) return [];
  const isListed = or(
    eq(wallet.id, walletRequest.walletId),
    eq(sql`lower(${wallet.address})`, sql`lower(${walletRequest.address})`),
  );
  const rows = await store
    .select({ kind: walletRequest.kind, address: walletRequest.address, id: wallet.id })
    .from(walletRequest)
    .leftJoin(wallet, and(eq(wallet.tenant, tenant), isListed))
    .where(and(eq(walletRequest.tenant, tenant), inArray(walletRequest.referenceHash, lookupHashes(sought))))
    .orderBy(desc(walletRequest.createdAt))
    .limit(MAX + 1);
  return rows.map(({ kind, address, id }) => ({
    group: "wallets",
    href: id === null ? hrefWith("/wallets/addresses", { sought }) : `/wallets/${encodeURIComponent(id)}`,
    title: address ?? t(`audit.values.kind.wallet.${kind === "wallet" ? "create" : "address"}`),
    state: null,
    detail: sought,
  }));
}

/** As the transfers' states are called. */
const CRYPTO_STATES = { DONE: "CONFIRMED", HELD: "HELD", SENDING: "SENDING", UNKNOWN: "UNKNOWN" } as const;

/** Crypto transfers, by their hash on the chain or by the antifraud's case; their wallet's screen is theirs. */
async function cryptoTransfers({ store, tenant, typed, t }: Asked): Promise<SearchHit[]> {
  const matches = store
    .select({ intentId: auditEvent.intentId })
    .from(auditEvent)
    .where(
      and(
        eq(auditEvent.tenant, tenant),
        eq(auditEvent.code, "crypto-transfers.create" satisfies AuditCode),
        sql`lower(${auditEvent.detail} ->> 'txHash') = ${typed.toLowerCase()}`,
      ),
    );
  const isIt = or(
    eq(providerIntent.antifraudId, typed),
    HASH.test(typed) ? inArray(providerIntent.id, matches) : undefined,
  );
  const rows = await store
    .select({ intent: providerIntent, id: wallet.id, address: wallet.address })
    .from(providerIntent)
    .innerJoin(wallet, and(eq(wallet.tenant, tenant), eq(sql`'wallet:' || ${wallet.id}`, providerIntent.object)))
    .where(and(eq(providerIntent.tenant, tenant), eq(providerIntent.operation, sendCryptoTransfer.path), isIt))
    .orderBy(desc(providerIntent.createdAt))
    .limit(MAX + 1);
  return rows.map(({ intent: { state, code }, id, address }) => ({
    group: "wallets",
    href: `/wallets/${encodeURIComponent(id)}`,
    title: t("approvals.kinds.crypto.transfer"),
    state: t(
      `transfers.states.${state !== "REFUSED" ? CRYPTO_STATES[state] : code === "TRANSACTION_BLOCKED" ? "BLOCKED" : state}`,
    ),
    detail: address,
  }));
}

/** Whatever moved at a wallet, sent from here or not. */
async function chainMovements({ store, tenant, typed, t }: Asked): Promise<SearchHit[]> {
  if (!HASH.test(typed)) return [];
  const rows = await store
    .selectDistinct({ id: wallet.id, address: wallet.address })
    .from(chainMovement)
    .innerJoin(wallet, and(eq(wallet.tenant, tenant), eq(wallet.id, chainMovement.walletId)))
    .where(and(eq(chainMovement.tenant, tenant), sql`lower(${chainMovement.hash}) = ${typed.toLowerCase()}`))
    .limit(MAX + 1);
  return rows.map(({ id, address }) => ({
    group: "wallets",
    href: hrefWith(`/wallets/${encodeURIComponent(id)}`, { sought: typed }),
    title: t("wallets.history.title"),
    state: null,
    detail: address,
  }));
}

async function approvals({ store, tenant, typed, t }: Asked): Promise<SearchHit[]> {
  const { id, kind, state, intentId } = approval;
  const rows = await store
    .select({ id, kind, state })
    .from(approval)
    .where(and(eq(approval.tenant, tenant), or(isId(id, typed), isId(intentId, typed))))
    .orderBy(desc(approval.createdAt))
    .limit(MAX + 1);
  return rows.map((row) => ({
    group: "approvals",
    href: `/approvals/${row.id}`,
    title: t(`approvals.kinds.${row.kind}`),
    state: t(`approvals.states.${row.state}`),
    detail: row.id,
  }));
}

async function deliveries({ store, tenant, typed }: Asked): Promise<SearchHit[]> {
  const [row] = await store
    .select({ event: webhookEvent.event, eventId: webhookEvent.eventId })
    .from(webhookEvent)
    .where(and(eq(webhookEvent.tenant, tenant), eq(webhookEvent.eventId, typed)));
  if (row === undefined) return [];
  return [
    {
      group: "deliveries",
      href: hrefWith("/webhooks", { sought: typed }),
      title: row.event,
      state: null,
      detail: row.eventId,
    },
  ];
}

async function calls({ store, tenant, typed }: Asked): Promise<SearchHit[]> {
  const [row] = await store
    .select({ method: providerCall.method, path: providerCall.path, status: providerCall.status })
    .from(providerCall)
    .where(and(eq(providerCall.tenant, tenant), isReference(typed)))
    .orderBy(desc(providerCall.seq))
    .limit(1);
  if (row === undefined) return [];
  return [
    {
      group: "calls",
      href: hrefWith("/calls", { sought: typed }),
      title: `${row.method} ${row.path}`,
      state: row.status === null ? null : String(row.status),
      detail: typed,
    },
  ];
}

/** `isOfPeople`: also by a document or a mask. */
type Group = { group: SearchGroup; needs: Permission; read: (asked: Asked) => Promise<SearchHit[]>; isOfPeople?: true };

const GROUPS: readonly Group[] = [
  { group: "accounts", needs: "accounts:read", read: accounts, isOfPeople: true },
  { group: "onboarding", needs: "onboarding:read", read: onboardings, isOfPeople: true },
  { group: "kyc", needs: "kyc:read", read: cases, isOfPeople: true },
  { group: "transfers", needs: "transfers:read", read: transfers },
  { group: "wallets", needs: "wallets:read", read: wallets },
  { group: "wallets", needs: "wallets:read", read: walletReferences },
  { group: "wallets", needs: "wallets:read", read: cryptoTransfers },
  { group: "wallets", needs: "wallets:read", read: chainMovements },
  { group: "approvals", needs: "approvals:read", read: approvals },
  { group: "deliveries", needs: "webhooks:read", read: deliveries },
  { group: "calls", needs: "audit:read", read: calls },
];

const CUSTOMERS: Readonly<Partial<Record<SearchGroup, CustomerKind>>> = {
  accounts: "account",
  onboarding: "onboarding",
  kyc: "kyc",
};

function customerIn({ group, href }: SearchHit): CustomerObject[] {
  const kind = CUSTOMERS[group];
  const id = href.split("/").at(-1);
  return kind === undefined || id === undefined ? [] : [`${kind}:${decodeURIComponent(id)}`];
}

const ASKED_OF_PROVIDER: readonly SearchShape[] = ["cpf", "cnpj", "number", "uuid", "id"];

const MAX_RECENT = 6;

/** The customers' records that this person looked at last, newest first. */
async function recent({ tenant, id }: Searcher, store: Db, t: Words): Promise<SearchHit[]> {
  const accesses = await store
    .select({ object: customerAccess.object })
    .from(customerAccess)
    .where(and(eq(customerAccess.tenant, tenant), eq(customerAccess.actor, id)))
    .orderBy(desc(customerAccess.seenAt))
    .limit(MAX_RECENT);
  const named = (kind: CustomerKind) =>
    accesses.flatMap(({ object }) => (object.startsWith(`${kind}:`) ? [object.slice(kind.length + 1)] : []));
  const [refs, onboardingIds, kycUUIDs] = [named("account"), named("onboarding"), named("kyc")];
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

/**
 * Every record kept here whose document, number, id or address this is, of the kinds that the person may read; without a
 * query what the person looked at last. It asks the provider nothing: what is not found can be looked up there.
 */
export async function find(actor: Searcher, { query }: z.output<typeof SearchQuery>): Promise<SearchAnswer> {
  const [store, t, locale] = await Promise.all([db(), getTranslations(), getLocale()]);
  const { tenant } = actor;
  const nowhere = { more: [], canAskProvider: false, canAskPixKey: false };
  if (query === "") return { ...nowhere, shape: null, hits: await recent(actor, store, t) };
  const shape = shapeOf(query);
  // A reference may be any text.
  const groups = shape === null ? GROUPS.filter(({ read }) => read === walletReferences) : GROUPS;
  const document = shape === "cpf" || shape === "cnpj" ? normaliseDocument(query) : null;
  const mask = shape === "mask" ? { shown: documentMask(query) } : null;
  const asked = { store, tenant, typed: query, document, mask, t, locale };
  const isOfPerson = document !== null || mask !== null;
  const mine = groups.filter(
    ({ needs, isOfPeople }) => can(actor.roles, needs) && (isOfPeople === true || !isOfPerson),
  );
  const found = await Promise.all(mine.map(async ({ group, read }) => ({ group, hits: await read(asked) })));
  const hits = found.flatMap((one) => one.hits.slice(0, MAX));
  if (document !== null) await recordFound(actor, hits.flatMap(customerIn));
  return {
    shape: shape ?? (hits.length > 0 ? "id" : null),
    hits,
    more: found.filter((one) => one.hits.length > MAX).map(({ group }) => group),
    canAskProvider: shape !== null && ASKED_OF_PROVIDER.includes(shape) && !query.includes("…"),
    canAskPixKey: can(actor.roles, "transfers:create") && readPixKey(query) !== null,
  };
}
