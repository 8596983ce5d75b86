import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import { readPixKey } from "@/lib/accounts/inputs";
import { newestPaying, paysHolder } from "@/lib/accounts/records";
import type { Actor } from "@/lib/permission/grant";
import { maskDocument, namedDocument } from "@/lib/contract/document";
import { shownAccountDocument } from "@/lib/db/document";
import { account } from "@/lib/db/tables/customers";
import { lookupHash, lookupHashes, seal, unseal, unsealedOrNull } from "@/lib/db/seal";
import { type Db, db, type Tx } from "@/lib/db/connection";
import { maskName } from "@/lib/text/masks";
import { UNOPENED } from "@/lib/text/provider-word";
import { nameKeyOf } from "@/lib/text/typed";
import { bankLabel, bankOfIspb } from "@/lib/text/banks";
import type { PaidParty, PayeeQuery, TransferFilter } from "./inputs";
import { transferPayee } from "@/lib/db/tables/transfers";
import type { PayeeFound, PayeeTrait } from "./view";

type PayeeKey = { tenant: string; intentId: string };

const target = (column: "document_sealed" | "name_sealed", { tenant, intentId }: PayeeKey) =>
  ({ column: `transfer_payee.${column}`, row: [tenant, intentId] }) as const;

type Dated = { paid: PaidParty; orderedAt: Date };

function rowOf(key: PayeeKey, { paid, orderedAt }: Dated) {
  const { amount, accountId, ispb, document, name } = paid;
  const written = name === null ? null : nameKeyOf(name);
  return {
    amount,
    accountId,
    ispb,
    orderedAt,
    documentSealed: document === null ? null : seal(document, target("document_sealed", key)),
    documentHash: document === null ? null : lookupHash(document),
    nameSealed: written === null ? null : seal(written, target("name_sealed", key)),
    nameHash: written === null ? null : lookupHash(written),
  };
}

/** Stored with its order; a corrected order pays the payee it names now. */
export async function storePayee(
  tx: Tx,
  { tenant, intentId }: PayeeKey,
  paid: PaidParty,
  orderedAt = new Date(),
): Promise<void> {
  const row = rowOf({ tenant, intentId }, { paid, orderedAt });
  await tx
    .insert(transferPayee)
    .values({ tenant, intentId, ...row })
    .onConflictDoUpdate({ target: [transferPayee.tenant, transferPayee.intentId], set: row });
}

/** The newest transfer to the typed payee, which a URL may name instead. */
export async function findTransferPayee(
  { tenant }: Actor<"transfers:read">,
  { query }: PayeeQuery,
): Promise<PayeeFound> {
  const store = await db();
  const named = namedDocument(query);
  if (named.kind === "several") return { by: "several", intentId: null };
  if (named.kind === "one") {
    const intentId = await newestPaying(store, tenant, paysHolder(store, tenant, lookupHashes(named.document)));
    return { by: "document", intentId };
  }
  const documents = named.kind === "restored" ? named.documents : [];
  for (const restored of documents) {
    const intentId = await newestPaying(store, tenant, paysHolder(store, tenant, lookupHashes(restored)));
    if (intentId !== null) return { by: "document", intentId, restored: maskDocument(restored) };
  }
  if (documents[0] !== undefined) return { by: "document", intentId: null, restored: maskDocument(documents[0]) };
  // A TED names no key, so another key's holder must be looked up first.
  if (readPixKey(query) !== null) return { by: "pix-key", intentId: null };
  if (named.kind === "mistyped") return { by: "slip", intentId: null };
  if (!/\p{L}/u.test(query)) return { by: "number", intentId: null };
  const name = nameKeyOf(query);
  const isIt = inArray(transferPayee.nameHash, lookupHashes(name));
  return { by: "name", intentId: await newestPaying(store, tenant, isIt) };
}

type FilteredPayee = { isIt: SQL | undefined; shown: string };

/** The payee of the filter's transfer, masked; null when unknown. */
async function readFilteredPayee(store: Db, key: PayeeKey, by: PayeeTrait): Promise<FilteredPayee | null> {
  const { tenant, intentId } = key;
  const [row] = await store
    .select()
    .from(transferPayee)
    .where(and(eq(transferPayee.tenant, tenant), eq(transferPayee.intentId, intentId)));
  if (row === undefined) return null;
  const { documentSealed, documentHash, nameSealed, nameHash, accountId } = row;
  if (by === "name") {
    if (nameSealed === null || nameHash === null) return null;
    const name = unsealedOrNull(() => unseal(nameSealed, target("name_sealed", key)));
    const hashes = name === null ? [nameHash] : lookupHashes(name);
    return {
      isIt: inArray(transferPayee.nameHash, hashes),
      shown: name === null ? UNOPENED : maskName(name).toUpperCase(),
    };
  }
  if (documentSealed !== null && documentHash !== null) {
    const document = unsealedOrNull(() => unseal(documentSealed, target("document_sealed", key)));
    const hashes = document === null ? [documentHash] : lookupHashes(document);
    const shown = document === null ? UNOPENED : maskDocument(document);
    return { isIt: paysHolder(store, tenant, hashes), shown };
  }
  if (accountId === null) return null;
  const [own] = await store
    .select()
    .from(account)
    .where(and(eq(account.tenant, tenant), eq(account.accountId, accountId)));
  if (own === undefined) return { isIt: eq(transferPayee.accountId, accountId), shown: accountId };
  const { mask, hashes } = shownAccountDocument(own);
  return { isIt: paysHolder(store, tenant, hashes), shown: mask };
}

type ShownPayee = { shown: string; key: string };

/** Whom transfers pay, masked, by the id of their order; not a payee whose order named neither name nor document. */
export async function payeesShown(
  store: Db,
  tenant: string,
  intentIds: readonly string[],
): Promise<ReadonlyMap<string, ShownPayee>> {
  if (intentIds.length === 0) return new Map();
  const isIt = and(eq(transferPayee.tenant, tenant), inArray(transferPayee.intentId, [...intentIds]));
  const rows = await store.select().from(transferPayee).where(isIt);
  return new Map(
    rows.flatMap(({ intentId, documentSealed, documentHash, nameSealed, nameHash }) => {
      const opened = (sealed: string | null, column: Parameters<typeof target>[0]) =>
        sealed === null ? null : unsealedOrNull(() => unseal(sealed, target(column, { tenant, intentId })));
      const name = opened(nameSealed, "name_sealed");
      const document = opened(documentSealed, "document_sealed");
      const shown = [name && maskName(name).toUpperCase(), document && maskDocument(document)].filter(Boolean);
      const key = documentHash ?? nameHash;
      return key === null ? [] : [[intentId, { shown: shown.join(" · ") || UNOPENED, key }] as const];
    }),
  );
}

type ByPayee = Pick<TransferFilter, "payeeOf" | "payeeBy" | "bank">;

/** Matches the orders to the filter's payee; null when there is none. `shown`: the payee, masked. */
export async function payeeNarrowing(store: Db, tenant: string, { payeeOf, payeeBy = "document", bank }: ByPayee) {
  if (payeeOf === undefined && bank === undefined) return null;
  const payee = payeeOf === undefined ? null : await readFilteredPayee(store, { tenant, intentId: payeeOf }, payeeBy);
  const isIt = payeeOf === undefined ? undefined : (payee?.isIt ?? sql`false`);
  const isOfBank = bank === undefined ? undefined : eq(transferPayee.ispb, bank);
  const intents = store
    .select({ intentId: transferPayee.intentId })
    .from(transferPayee)
    .where(and(eq(transferPayee.tenant, tenant), isIt, isOfBank));
  return { intents, shown: payeeOf === undefined ? null : (payee?.shown ?? UNOPENED) };
}

/** The banks that received TEDs. */
export async function paidBanks(store: Db, tenant: string): Promise<{ ispb: string; label: string }[]> {
  const rows = await store
    .selectDistinct({ ispb: transferPayee.ispb })
    .from(transferPayee)
    .where(eq(transferPayee.tenant, tenant));
  const banks = rows.flatMap(({ ispb }) => {
    if (ispb === null) return [];
    const bank = bankOfIspb(ispb);
    return [{ ispb, label: bank === null ? ispb : bankLabel(bank) }];
  });
  return banks.toSorted((one, other) => one.label.localeCompare(other.label));
}
