import { policyOf } from "@/lib/approvals/policy";
import { db } from "@/lib/db/connection";
import type { Actor } from "@/lib/permission/grant";
import { readRepeats } from "./duplicates";
import { publicLink } from "./explorer";
import type { SendForm } from "./inputs";
import { lookAlikesOf } from "./look-alikes";
import { needsSecond } from "./send-coins";
import { readSendForm } from "./send-form";
import { hintsOf } from "./send-hints";
import { ownerOf } from "./sending";
import { earlierUse } from "./sent-order";
import type { SendReview } from "./view";

type Sender = Actor<"crypto-transfers:create">;

/** Reports warnings and sends nothing. Throws as `orderCoins` does, except for a repeat. */
export async function reviewSend({ tenant, id: makerId }: Sender, form: SendForm): Promise<SendReview> {
  const store = await db();
  const { order, asset, over } = await readSendForm(store, tenant, form);
  const repeats = await readRepeats(store, { tenant, walletId: form.walletId, order, except: null });
  const alike = await lookAlikesOf(store, tenant, order);
  const policy = await policyOf(store, tenant, "crypto.transfer");
  return {
    network: order.network,
    amount: order.amount,
    asset,
    tokenAddress: order.issuer ?? order.tokenAddress ?? null,
    from: order.fromAddress,
    to: order.to,
    ours: await ownerOf(store, tenant, { ...order, makerId }),
    ...(await earlierUse(store, tenant, order, alike)),
    alike,
    needsApproval: needsSecond(policy),
    over,
    repeats: repeats.map((one) => ({
      ...one,
      link: one.txHash === null ? null : publicLink(tenant, order.network, one.txHash),
    })),
    hints: await hintsOf(store, { tenant, walletId: form.walletId, order, asset, intentId: null }),
  };
}
