import { and, eq } from "drizzle-orm";
import { canonicalAddress, familyOf } from "@/lib/contract/addresses";
import type { Db } from "@/lib/db/connection";
import { wallet } from "@/lib/db/tables/wallets";
import { AppError } from "@/lib/errors/app-error";
import { type CryptoOrder, networksOf, type SendForm } from "./inputs";
import { whyLost } from "./lost-coins";
import { assetOf, heldOf, overOf } from "./sending";
import type { SendReview } from "./view";
import { issuedIn } from "./xrpl-token";

const wrong = (field: keyof SendForm, code: string, word?: string) =>
  new AppError("invalid", { issues: [{ path: [field], params: { code, ...(word !== undefined && { word }) } }] });

type ReadForm = {
  order: Omit<CryptoOrder, "intentId" | "seen" | "seenAlike">;
  asset: string;
  over: SendReview["over"];
};

/** What would be sent to the provider. Throws not-found, and invalid with the field that the wallet contradicts. */
export async function readSendForm(store: Db, tenant: string, form: SendForm): Promise<ReadForm> {
  const { walletId, network, token, amount } = form;
  const [from] = await store
    .select({ address: wallet.address, family: wallet.family })
    .from(wallet)
    .where(and(eq(wallet.tenant, tenant), eq(wallet.id, walletId)));
  if (from === undefined) throw new AppError("not-found");
  if (!networksOf(from.family).includes(network)) throw wrong("network", "other-network");
  const to = canonicalAddress(familyOf(network), form.to) ?? form.to;
  const lost = await whyLost(store, tenant, { network, fromAddress: from.address, to });
  if (lost !== null) throw wrong("to", lost);
  const read = await heldOf(store, tenant, form);
  const { held } = read;
  if (token !== "" && held === undefined) throw wrong("token", "token-gone");
  const decimals = held?.decimals ?? null;
  if (decimals !== null && (amount.split(".")[1] ?? "").length > decimals)
    throw wrong("amount", "coins-decimals", String(decimals));
  const issued = held === undefined ? null : issuedIn(held);
  if (token !== "" && network === "XRPL" && issued === null) throw wrong("token", "token-untold");
  const contract = { tokenAddress: token, ...(decimals !== null && { decimals }) };
  const order = {
    walletId,
    network,
    fromAddress: from.address,
    to,
    amount,
    ...(token !== "" && (network === "XRPL" ? issued : contract)),
  };
  return { order, asset: await assetOf(store, tenant, order), over: overOf(amount, read) };
}
