import { getLocale, getTranslations } from "next-intl/server";
import { z } from "zod";
import { readPixKey } from "@/lib/accounts/inputs";
import { can, type Permission } from "@/lib/permission/permission";
import { documentAmong, maskDocument, restoredDocuments } from "@/lib/contract/document";
import { normaliseDocument, pasted } from "@/lib/contract/fold";
import { recordFound } from "@/lib/audit/access-log";
import type { CustomerKind, CustomerObject } from "@/lib/db/enums/privacy";
import { db } from "@/lib/db/connection";
import { listHelp } from "@/lib/help/queries";
import { SearchText } from "@/lib/text/filter";
import type { Locale } from "@/lib/text/format";
import { QUERY_MAX } from "@/lib/text/page";
import type { SearchAnswer, SearchGroup, SearchHit, SearchShape } from "./view";
import { documentMask, shapeOf, soleIdIn } from "./shape";
import { type Searcher, MAX, type AskedSearch } from "./asked";
import { accounts, onboardings, cases, recent } from "./customers";
import {
  transfers,
  entries,
  wallets,
  walletReferences,
  cryptoTransfers,
  chainMovements,
  approvals,
  deliveries,
  calls,
} from "./records";

export const SearchQuery = z.strictObject({
  query: z.string().transform(pasted).transform(documentAmong).transform(soleIdIn).pipe(z.string().max(QUERY_MAX)),
});

/** `isOfPeople`: also by a document or a mask. */
type Group = {
  group: SearchGroup;
  needs: Permission;
  read: (asked: AskedSearch) => Promise<SearchHit[]>;
  isOfPeople?: true;
};

const GROUPS: readonly Group[] = [
  { group: "accounts", needs: "accounts:read", read: accounts, isOfPeople: true },
  { group: "onboarding", needs: "onboarding:read", read: onboardings, isOfPeople: true },
  { group: "kyc", needs: "kyc:read", read: cases, isOfPeople: true },
  { group: "transfers", needs: "transfers:read", read: transfers },
  { group: "entries", needs: "accounts:read", read: entries },
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

async function findRestored(actor: Searcher, asked: AskedSearch): Promise<Found[]> {
  const groups = GROUPS.filter(({ needs, isOfPeople }) => isOfPeople === true && can(actor.roles, needs));
  const found = await Promise.all(groups.map(async ({ group, read }) => ({ group, hits: await read(asked) })));
  return found.filter(({ hits }) => hits.length > 0);
}

type Found = { group: SearchGroup; hits: SearchHit[] };

const isSure = ({ hits }: Found) => hits.some(({ isPerhaps }) => isPerhaps !== true);

/** A mask alone does not tell that the zeros were missing: it counts where the text as typed found nothing. */
const restoredOf = (ofDocument: readonly Found[], found: readonly Found[]): readonly Found[] =>
  ofDocument.some(isSure) || found.every(({ hits }) => hits.length === 0) ? ofDocument : [];

const PAID_BY: readonly (SearchShape | null)[] = ["address", "hash", "id"];

const helpHits = (locale: Locale, query: string): SearchHit[] =>
  listHelp(locale, query)
    .slice(0, MAX)
    .map(({ name, title, lead }) => ({ group: "help", href: `/help/${name}`, title, state: null, detail: lead }));

/** It stands in an address then. */
const mayBePaid = (query: string, shape: SearchShape | null) =>
  PAID_BY.includes(shape) && SearchText.safeParse(query).success;

const ASKED_OF_PROVIDER: readonly SearchShape[] = ["cpf", "cnpj", "number", "uuid", "id"];

/**
 * Every stored record with this document, number, id or address, of the kinds that the person may read; without a query
 * the person's last views. Makes no calls: other records can be looked up at the provider from there.
 */
export async function findEverywhere(actor: Searcher, { query }: z.output<typeof SearchQuery>): Promise<SearchAnswer> {
  const [store, t, locale] = await Promise.all([db(), getTranslations(), getLocale()]);
  const { tenant } = actor;
  const nowhere = {
    more: [],
    canAskProvider: false,
    canAskPixKey: false,
    canAskPaid: false,
    restored: null,
    alsoRead: null,
  };
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
  const documents = isOfPerson ? [] : restoredDocuments(query);
  const [found, ofEach] = await Promise.all([
    Promise.all(mine.map(async ({ group, read }) => ({ group, hits: await read(asked) }))),
    Promise.all(documents.map((one) => findRestored(actor, { ...asked, document: one }))),
  ]);
  const ofDocuments = ofEach.map((one) => restoredOf(one, found));
  const restored = documents.find((_, nth) => (ofDocuments[nth] ?? []).length > 0);
  const ofRestored = ofDocuments.flat();
  const hits = [...ofRestored, ...found].flatMap((one) => one.hits.slice(0, MAX));
  const help = shape === null || shape === "id" ? helpHits(locale, query) : [];
  const byDocument = document === null ? ofRestored.flatMap((one) => one.hits.slice(0, MAX)) : hits;
  await recordFound(actor, byDocument.flatMap(customerIn));
  return {
    shape: shape ?? (hits.length > 0 ? "id" : null),
    hits: [...hits, ...help],
    restored: restored === undefined ? null : maskDocument(restored),
    alsoRead: documents[0] === undefined || hits.length > 0 ? null : maskDocument(documents[0]),
    more: [...ofRestored, ...found].filter((one) => one.hits.length > MAX).map(({ group }) => group),
    canAskProvider: shape !== null && ASKED_OF_PROVIDER.includes(shape) && !query.includes("…"),
    canAskPaid: can(actor.roles, "deposits:ask") && mayBePaid(query, shape),
    canAskPixKey: can(actor.roles, "transfers:create") && readPixKey(query) !== null,
  };
}
