import { and, eq } from "drizzle-orm";
import { policyOf } from "@/lib/approvals/policy";
import { canonicalAddress, familyOf } from "@/lib/contract/addresses";
import { type Db, db } from "@/lib/db/connection";
import { approval } from "@/lib/db/tables/approvals";
import { wallet } from "@/lib/db/tables/wallets";
import { AppError } from "@/lib/errors/app-error";
import type { Actor } from "@/lib/permission/grant";
import { findIntent } from "@/lib/provider/intents/intent-record";
import { assetOf, needsApproval, orderCryptoTransfer } from "./approvals";
import { readRepeats } from "./duplicates";
import { publicLink } from "./explorer";
import { type CryptoOrder, networksOf, type SendForm, type SendOrder } from "./inputs";
import { lookAlikesOf } from "./look-alikes";
import { whyLost } from "./lost-coins";
import { hintsOf } from "./send-hints";
import { heldOf, overOf, ownerOf } from "./sending";
import { wasSentTo } from "./sent-order";
import type { SendAnswer, SendReview } from "./view";
import { issuedIn } from "./xrpl-token";

type Sender = Actor<"crypto-transfers:create">;

const wrong = (field: keyof SendForm, code: string, word?: string) =>
  new AppError("invalid", { issues: [{ path: [field], params: { code, ...(word !== undefined && { word }) } }] });

type Meant = {
  order: Omit<CryptoOrder, "intentId" | "seen" | "seenAlike">;
  asset: string;
  over: SendReview["over"];
};

/** What the provider would be told. Throws not-found, and invalid with the field that the wallet contradicts. */
async function meantBy(store: Db, tenant: string, form: SendForm): Promise<Meant> {
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
    network,
    fromAddress: from.address,
    to,
    amount,
    ...(token !== "" && (network === "XRPL" ? issued : contract)),
  };
  return { order, asset: await assetOf(store, tenant, order), over: overOf(amount, read) };
}

/** What should be known before; nothing is sent. Throws as `sendCoins` does, for a repeat never. */
export async function reviewSend({ tenant, id: makerId }: Sender, form: SendForm): Promise<SendReview> {
  const store = await db();
  const { order, asset, over } = await meantBy(store, tenant, form);
  const repeats = await readRepeats(store, { tenant, walletId: form.walletId, order, except: null });
  const policy = await policyOf(store, tenant, "crypto.transfer");
  return {
    network: order.network,
    amount: order.amount,
    asset,
    tokenAddress: order.issuer ?? order.tokenAddress ?? null,
    from: order.fromAddress,
    to: order.to,
    ours: await ownerOf(store, tenant, { ...order, makerId }),
    isFirstUse: !(await wasSentTo(store, tenant, order)),
    alike: await lookAlikesOf(store, tenant, order),
    needsApproval: needsApproval(policy),
    over,
    repeats: repeats.map((one) => ({
      ...one,
      link: one.txHash === null ? null : publicLink(tenant, order.network, one.txHash),
    })),
    hints: await hintsOf(store, { tenant, walletId: form.walletId, order }),
  };
}

async function isOrdered(store: Db, tenant: string, intentId: string): Promise<boolean> {
  const isIts = and(eq(approval.tenant, tenant), eq(approval.intentId, intentId));
  if ((await store.$count(approval, isIts)) > 0) return true;
  const intent = await findIntent(store, { tenant, id: intentId });
  return intent !== null && intent.state !== "REFUSED";
}

/** Sends or proposes, once per intent. Throws as `orderCryptoTransfer`, not-found and invalid with its field. */
export async function sendCoins(
  actor: Sender,
  { intentId, middleSix: _middleSix, seen, seenAlike, ...form }: SendOrder,
): Promise<SendAnswer> {
  const store = await db();
  const { tenant } = actor;
  const isRepeat = await isOrdered(store, tenant, intentId);
  const meant = await meantBy(store, tenant, form).catch((refusal: unknown) => {
    // Once it is sent, the balance may name its token no more.
    throw isRepeat ? new AppError("conflict", { code: "intent-already-sent" }) : refusal;
  });
  const done = await orderCryptoTransfer(actor, { ...meant.order, intentId, seen, seenAlike });
  if (done.state === "PROPOSED") return { state: done.state, approvalId: done.approvalId };
  if (done.state === "HELD") {
    const { state, antifraudId, pendingExpiresAt } = done;
    return { state, antifraudId, until: pendingExpiresAt?.toISOString() ?? null };
  }
  const txHash = done.stored?.txHash ?? null;
  const hash = txHash === null ? null : { txHash, link: publicLink(tenant, form.network, txHash) };
  return { state: done.state, hash };
}
