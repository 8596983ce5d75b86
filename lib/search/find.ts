import { and, desc, eq, ilike, inArray, or } from "drizzle-orm";
import { type Locale } from "next-intl";
import { getLocale, getTranslations } from "next-intl/server";
import { z } from "zod";
import { isAccount, numberIn } from "@/lib/accounts/look-up";
import type { Actor } from "@/lib/auth/grant";
import { can, type Permission } from "@/lib/auth/permission";
import { ofIntent } from "@/lib/bank/intent-record";
import { bankCall, bankIntent } from "@/lib/bank/schema";
import { KYC_STATUSES } from "@/lib/contract/kyc";
import { ONBOARDING_STATUSES } from "@/lib/contract/onboarding";
import { isCnpj, isCpf, maskDocument, normaliseDocument } from "@/lib/contract/document";
import { canBeId } from "@/lib/onboarding/rules";
import { customerAccess } from "@/lib/privacy/schema";
import type { CustomerKind } from "@/lib/privacy/view";
import { shownAccountDocument, shownOnboardingDocument } from "@/lib/store/document";
import { account, kycCase, onboarding } from "@/lib/store/schema";
import { lookupHashes } from "@/lib/store/seal";
import { type Db, db } from "@/lib/store/store";
import { formatBrl } from "@/lib/text/format";
import { isUuid } from "@/lib/text/decode";
import { hrefWith } from "@/lib/text/page";
import { stateOfIntent } from "@/lib/transfers/records";
import { transfer } from "@/lib/transfers/schema";
import { wallet } from "@/lib/wallets/schema";
import { webhookEvent } from "@/lib/webhooks/schema";
import type { SearchAnswer, SearchGroup, SearchHit, SearchShape } from "./view";

export const SearchQuery = z.strictObject({ query: z.string().trim().max(200) });

type Searcher = Actor<"accounts:read">;

/** Of each group; one more is read to know whether there are more. */
const MOST = 5;

const ADDRESS = /^(0x[\da-f]{40}|[13a-km-z][1-9a-z]{25,60}|bc1[\da-z]{20,70})$/i;

function shapeOf(typed: string): SearchShape | null {
  const document = normaliseDocument(typed);
  if (isCpf(document)) return "cpf";
  if (isCnpj(document)) return "cnpj";
  if (numberIn(typed) !== null) return "number";
  if (isUuid(typed)) return "uuid";
  if (ADDRESS.test(typed)) return "address";
  return canBeId(typed) ? "id" : null;
}

type Asked = { store: Db; tenant: string; typed: string; document: string | null; t: Words; locale: Locale };

/** Same document, by its hash; null where none was typed. */
const byDocument = (column: typeof account.documentHash | typeof onboarding.documentHash, { document }: Asked) =>
  document === null ? undefined : inArray(column, lookupHashes(document));

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

const accountHit = (row: typeof account.$inferSelect): SearchHit => ({
  group: "accounts",
  href: `/accounts/${row.ref}`,
  title: `${row.branch} / ${row.number}`,
  state: row.statusWord ?? (row.standing === "UNTOLD" ? null : row.standing),
  detail: [row.holder, shownAccountDocument(row).mask].filter((text) => text !== null).join(" · "),
});

const onboardingHit = (row: typeof onboarding.$inferSelect, t: Words): SearchHit => ({
  group: "onboarding",
  href: `/onboarding/${row.id}`,
  title: shownOnboardingDocument(row).mask,
  state: onboardingState(t, row.status),
  detail: row.onBoardingId,
});

const CASE = { kycUUID: kycCase.kycUUID, vatNumber: kycCase.vatNumber, status: kycCase.status };
type CaseRow = Pick<typeof kycCase.$inferSelect, keyof typeof CASE>;

const caseHit = ({ kycUUID, vatNumber, status }: CaseRow, t: Words): SearchHit => ({
  group: "kyc",
  href: `/kyc/${encodeURIComponent(kycUUID)}`,
  title: vatNumber,
  state: caseState(t, status),
  detail: kycUUID,
});

async function accounts(asked: Asked): Promise<SearchHit[]> {
  const { store, tenant, typed, document } = asked;
  const isIt = document === null ? isAccount(typed) : byDocument(account.documentHash, asked);
  const rows = await store
    .select()
    .from(account)
    .where(and(eq(account.tenant, tenant), isIt))
    .orderBy(desc(account.firstSeenAt))
    .limit(MOST + 1);
  return rows.map(accountHit);
}

async function onboardings(asked: Asked): Promise<SearchHit[]> {
  const { store, tenant, typed, document, t } = asked;
  const isIt = document === null ? eq(onboarding.onBoardingId, typed) : byDocument(onboarding.documentHash, asked);
  const rows = await store
    .select()
    .from(onboarding)
    .where(and(eq(onboarding.tenant, tenant), isIt))
    .orderBy(desc(onboarding.seq))
    .limit(MOST + 1);
  return rows.map((row) => onboardingHit(row, t));
}

async function cases({ store, tenant, typed, document, t }: Asked): Promise<SearchHit[]> {
  // The provider's list tells documents masked: cases of one mask may be several people's, and each shows its mask.
  const isIt = document === null ? eq(kycCase.kycUUID, typed) : eq(kycCase.vatNumber, maskDocument(document));
  const rows = await store
    .select(CASE)
    .from(kycCase)
    .where(and(eq(kycCase.tenant, tenant), isIt))
    .orderBy(desc(kycCase.seq))
    .limit(MOST + 1);
  return rows.map((row) => caseHit(row, t));
}

async function transfers({ store, tenant, typed, document, t, locale }: Asked): Promise<SearchHit[]> {
  if (document !== null) return [];
  const isIt = or(
    eq(transfer.transactionId, typed),
    eq(bankIntent.antifraudId, typed),
    isUuid(typed) ? eq(transfer.intentId, typed) : undefined,
  );
  const rows = await store
    .select({ id: transfer.intentId, kind: transfer.kind, amount: transfer.amount, state: stateOfIntent })
    .from(transfer)
    .innerJoin(bankIntent, ofIntent(transfer))
    .where(and(eq(transfer.tenant, tenant), isIt))
    .orderBy(desc(transfer.createdAt))
    .limit(MOST + 1);
  return rows.map(({ id, kind, amount, state }) => ({
    group: "transfers",
    href: `/transfers/${id}`,
    title: `${t(`transfers.kinds.${kind}`)} · ${formatBrl(amount, locale)}`,
    state: t(`transfers.states.${state}`),
    detail: typed,
  }));
}

async function wallets({ store, tenant, typed, document, t }: Asked): Promise<SearchHit[]> {
  if (document !== null) return [];
  // Of hexadecimal addresses the case of a letter is a check alone; other chains tell letters by it.
  const isAddress = /^0x[\da-f]+$/i.test(typed) ? ilike(wallet.address, typed) : eq(wallet.address, typed);
  const rows = await store
    .select({ id: wallet.id, address: wallet.address, coin: wallet.coin, status: wallet.status })
    .from(wallet)
    .where(and(eq(wallet.tenant, tenant), or(eq(wallet.id, typed), isAddress)))
    .limit(MOST + 1);
  return rows.map(({ id, address, coin, status }) => ({
    group: "wallets",
    href: `/wallets/${encodeURIComponent(id)}`,
    title: address,
    state: status === "ACTIVE" ? t("wallets.status.ACTIVE") : status,
    detail: coin,
  }));
}

async function deliveries({ store, tenant, typed, document }: Asked): Promise<SearchHit[]> {
  if (document !== null) return [];
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

async function calls({ store, tenant, typed, document }: Asked): Promise<SearchHit[]> {
  if (document !== null) return [];
  const [row] = await store
    .select({ method: bankCall.method, path: bankCall.path, status: bankCall.status })
    .from(bankCall)
    .where(and(eq(bankCall.tenant, tenant), eq(bankCall.requestId, typed)))
    .orderBy(desc(bankCall.seq))
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

type Group = { group: SearchGroup; needs: Permission; read: (asked: Asked) => Promise<SearchHit[]> };

const GROUPS: readonly Group[] = [
  { group: "accounts", needs: "accounts:read", read: accounts },
  { group: "onboarding", needs: "onboarding:read", read: onboardings },
  { group: "kyc", needs: "kyc:read", read: cases },
  { group: "transfers", needs: "transfers:read", read: transfers },
  { group: "wallets", needs: "wallets:read", read: wallets },
  { group: "deliveries", needs: "webhooks:read", read: deliveries },
  { group: "calls", needs: "audit:read", read: calls },
];

const ASKED_OF_PROVIDER: readonly SearchShape[] = ["cpf", "cnpj", "number", "uuid", "id"];

const MOST_RECENT = 6;

/** The customers' records that this person looked at last, newest first. */
async function recent({ tenant, id }: Searcher, store: Db, t: Words): Promise<SearchHit[]> {
  const accesses = await store
    .select({ object: customerAccess.object })
    .from(customerAccess)
    .where(and(eq(customerAccess.tenant, tenant), eq(customerAccess.actor, id)))
    .orderBy(desc(customerAccess.seenAt))
    .limit(MOST_RECENT);
  const named = (kind: CustomerKind) =>
    accesses.flatMap(({ object }) => (object.startsWith(`${kind}:`) ? [object.slice(kind.length + 1)] : []));
  const [refs, onboardingIds, kycUUIDs] = [named("account"), named("onboarding"), named("kyc")];
  const [accountRows, onboardingRows, caseRows] = await Promise.all([
    store
      .select()
      .from(account)
      .where(and(eq(account.tenant, tenant), inArray(account.ref, refs))),
    store
      .select()
      .from(onboarding)
      .where(and(eq(onboarding.tenant, tenant), inArray(onboarding.id, onboardingIds))),
    store
      .select(CASE)
      .from(kycCase)
      .where(and(eq(kycCase.tenant, tenant), inArray(kycCase.kycUUID, kycUUIDs))),
  ]);
  const hits = new Map<string, SearchHit>([
    ...accountRows.map((row) => [`account:${row.ref}`, accountHit(row)] as const),
    ...onboardingRows.map((row) => [`onboarding:${row.id}`, onboardingHit(row, t)] as const),
    ...caseRows.map((row) => [`kyc:${row.kycUUID}`, caseHit(row, t)] as const),
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
  if (query === "") return { shape: null, hits: await recent(actor, store, t), more: [], canAskProvider: false };
  const shape = shapeOf(query);
  if (shape === null) return { shape, hits: [], more: [], canAskProvider: false };
  const document = shape === "cpf" || shape === "cnpj" ? normaliseDocument(query) : null;
  const asked = { store, tenant, typed: query, document, t, locale };
  const mine = GROUPS.filter(({ needs }) => can(actor.roles, needs));
  const found = await Promise.all(mine.map(async ({ group, read }) => ({ group, hits: await read(asked) })));
  return {
    shape,
    hits: found.flatMap(({ hits }) => hits.slice(0, MOST)),
    more: found.filter(({ hits }) => hits.length > MOST).map(({ group }) => group),
    canAskProvider: ASKED_OF_PROVIDER.includes(shape),
  };
}
