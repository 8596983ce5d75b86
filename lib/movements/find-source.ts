import { db } from "@/lib/db/connection";
import { AppError } from "@/lib/errors/app-error";
import type { Actor } from "@/lib/permission/grant";
import type { MovementFilter, SourceQuery } from "./inputs";
import { finderOf, listAccountSources, listWalletSources } from "./known-sources";
import { mayWallets, movementPlace } from "./records";

/**
 * What the list's filter names in place of a number, an id, an address or a wallet's name. Throws invalid
 * `source-unknown`, or `source-several` where it may be any of several.
 */
export async function findMovementSource(
  actor: Actor<"accounts:read">,
  { query }: SourceQuery,
): Promise<Pick<MovementFilter, "account" | "wallet">> {
  const store = await db();
  const accounts = await listAccountSources(store, actor.tenant);
  const wallets = mayWallets(actor) ? await listWalletSources(store, actor.tenant, { format: "csv" }) : [];
  const named = finderOf([...accounts, ...wallets])(query).map(({ source: { kind, ref } }) =>
    kind === "account" ? { account: ref } : { wallet: movementPlace(ref).walletId },
  );
  const different = new Map(named.map((one) => [JSON.stringify(one), one]));
  if (different.size > 1) throw new AppError("invalid", { code: "source-several" });
  const [found] = different.values();
  if (found === undefined) throw new AppError("invalid", { code: "source-unknown" });
  return found;
}
