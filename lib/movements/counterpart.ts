import { and, eq } from "drizzle-orm";
import type { Actor } from "@/lib/permission/grant";
import { maskDocument, namedDocument } from "@/lib/contract/document";
import { isChainAddress } from "@/lib/contract/addresses";
import { NETWORKS } from "@/lib/contract/crypto";
import { db } from "@/lib/db/connection";
import { lookupHash } from "@/lib/db/seal";
import { accountEntry } from "@/lib/db/tables/accounts";
import { transferPayee } from "@/lib/db/tables/transfers";
import { wallet } from "@/lib/db/tables/wallets";
import { AppError } from "@/lib/errors/app-error";
import { nameKeyOf } from "@/lib/text/typed";
import { pastedAddress } from "@/lib/wallets/inputs";
import { ACCOUNT_COUNTERPART, type CounterpartQuery, isAccountName } from "./inputs";
import { finderOf, listAccountSources, listWalletSources } from "./known-sources";
import { mayWallets, movementPlace } from "./records";

const isAddress = (text: string) => NETWORKS.some((network) => isChainAddress(network, text));

async function findAccount(tenant: string, query: string): Promise<string | null> {
  if (!isAccountName(query)) return null;
  const [found] = finderOf(await listAccountSources(await db(), tenant))(query);
  return found === undefined ? null : `${ACCOUNT_COUNTERPART}${found.source.ref}`;
}

async function findWallet(actor: Actor<"accounts:read">, query: string): Promise<string | null> {
  if (!mayWallets(actor)) return null;
  const store = await db();
  const [found] = finderOf(await listWalletSources(store, actor.tenant, { format: "csv" }))(query);
  if (found === undefined) return null;
  const isIt = and(eq(wallet.tenant, actor.tenant), eq(wallet.id, movementPlace(found.source.ref).walletId));
  const [row] = await store.select({ address: wallet.address }).from(wallet).where(isIt);
  return row?.address ?? null;
}

async function findName(tenant: string, query: string): Promise<string | null> {
  const hash = lookupHash(nameKeyOf(query));
  const store = await db();
  const known = (table: typeof accountEntry | typeof transferPayee) =>
    store
      .select({ nameHash: table.nameHash })
      .from(table)
      .where(and(eq(table.tenant, tenant), eq(table.nameHash, hash)))
      .limit(1);
  const found = [...(await known(accountEntry)), ...(await known(transferPayee))];
  return found.length === 0 ? null : hash;
}

/**
 * What an address of a page may name in place of what was typed: an account, an address of a chain, or a keyed hash.
 * Throws invalid `source-unknown` for what is written as an account and is none, and `counterparty-unknown` for a name
 * that nobody has in what is kept.
 */
export async function findCounterpartKey(
  actor: Actor<"accounts:read">,
  { query }: CounterpartQuery,
): Promise<{ counterpart: string; restored?: string }> {
  const account = await findAccount(actor.tenant, query);
  if (account !== null) return { counterpart: account };
  const named = namedDocument(query);
  if (named.kind === "one") return { counterpart: lookupHash(named.document) };
  const [restored] = named.kind === "restored" ? named.documents : [];
  if (restored !== undefined) return { counterpart: lookupHash(restored), restored: maskDocument(restored) };
  if (isAccountName(query)) throw new AppError("invalid", { code: "source-unknown" });
  const address = pastedAddress(query);
  if (isAddress(address)) return { counterpart: address };
  const counterpart = (await findWallet(actor, query)) ?? (await findName(actor.tenant, query));
  if (counterpart === null) throw new AppError("invalid", { code: "counterparty-unknown" });
  return { counterpart };
}
