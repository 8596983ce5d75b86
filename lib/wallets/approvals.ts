import { approvalKind } from "@/lib/approvals/approval-kind";
import { type Proposed, underPolicy } from "@/lib/approvals/propose";
import { type Shown, shownText } from "@/lib/approvals/frozen";
import type { Actor } from "@/lib/auth/grant";
import { CryptoOrder } from "./rules";
import { cryptoBody, cryptoTransfer, sendCrypto, walletObject } from "./send";

type Fact = Shown["facts"][number];

const fact = (name: Fact["name"], text: string): Fact => ({ name, before: null, after: shownText(text) });

async function show(tenant: string, order: CryptoOrder): Promise<Shown> {
  const { network, fromAddress, to, amount, tokenAddress, currency, issuer } = order;
  const object = await walletObject(tenant, fromAddress);
  const isKnown = object !== `wallet:${fromAddress}`;
  const token = [currency, issuer ?? tokenAddress].filter((part) => part !== undefined).join(" ");
  return {
    headline: shownText(`${amount} ${currency ?? network}`),
    href: isKnown ? `/wallets/${encodeURIComponent(object.replace("wallet:", ""))}` : null,
    facts: [
      fact("amount", amount),
      fact("network", network),
      ...(token === "" ? [] : [fact("token", token)]),
      fact("from", fromAddress),
      fact("to", to),
    ],
  };
}

export const cryptoApproval = approvalKind({
  name: "crypto.transfer",
  permission: "crypto-transfers:create",
  order: CryptoOrder,
  bytesOf: (order) => cryptoTransfer.bytesOf(cryptoBody(order)),
  isExclusive: false,
  objectOf: (tenant, { fromAddress }) => walletObject(tenant, fromAddress),
  isGrave: async ({ policy }) => policy.rule !== "never",
  show,
  perform: (actor, order) => sendCrypto(actor, order),
});

/** Sends coins or tokens from a wallet, or proposes it where the policy asks for a second person. */
export const orderCryptoTransfer = (
  actor: Actor<"crypto-transfers:create">,
  order: CryptoOrder,
): Promise<Awaited<ReturnType<typeof sendCrypto>> | Proposed> => underPolicy(cryptoApproval, actor, order);
