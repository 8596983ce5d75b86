import { z } from "zod";
import { isStorable } from "@/lib/contract/shared";
import { findIn, type Wanted } from "@/lib/contract/open-answer";
import type { Wake } from "./view";

/** The event's name stands in an unsigned header, so the signed body comes first. */
export type Hint =
  | { wakes: "onboarding"; onBoardingId: string | null }
  | { wakes: "wallets"; walletId: string | null; network: string | null }
  | { wakes: "kyc"; kycUUID: string | null }
  | { wakes: "transfers"; accountId: string | null };

const Id = z.string().trim().min(1).max(200).refine(isStorable);

/** The payload is undocumented. */
const idIn = (payload: unknown, wanted: Wanted) => Id.safeParse(findIn(payload, wanted)?.text).data ?? null;

/** By prefix; the interface's own are in the first two. */
const FAMILIES: readonly (readonly [start: RegExp, wakes: Wake])[] = [
  [/^onboarding-/, "onboarding"],
  [/^crypto-/, "wallets"],
  [/^kyc-/, "kyc"],
  [/^(transfer|pix|ted|boleto)-/, "transfers"],
];

export function hintOf(event: string, payload: unknown): Hint | null {
  const [onBoardingId, kycUUID] = [idIn(payload, "onboardingId"), idIn(payload, "kycId")];
  const [walletId, network, accountId] = [
    idIn(payload, "walletId"),
    idIn(payload, "network"),
    idIn(payload, "accountId"),
  ];
  if (onBoardingId !== null) return { wakes: "onboarding", onBoardingId };
  if (kycUUID !== null) return { wakes: "kyc", kycUUID };
  if (walletId !== null) return { wakes: "wallets", walletId, network };
  if (accountId !== null) return { wakes: "transfers", accountId };
  const [, family] = FAMILIES.find(([start]) => start.test(event)) ?? [];
  if (family === "onboarding") return { wakes: family, onBoardingId };
  if (family === "kyc") return { wakes: family, kycUUID };
  if (family === "wallets") return { wakes: family, walletId, network };
  return family === "transfers" ? { wakes: family, accountId } : null;
}

/** KYC and transfer hints share one refresh, whatever they name. */
export function hintKeyOf(hint: Hint): string {
  if (hint.wakes === "onboarding") return JSON.stringify(["onboarding", hint.onBoardingId]);
  if (hint.wakes === "wallets") return JSON.stringify(["wallets", hint.walletId, hint.network]);
  return JSON.stringify([hint.wakes]);
}

/** Only under the interface's own name: any other may be a customer's. */
const Tenant = z.object({ clientId: Id.nullable().catch(null) }).catch({ clientId: null });

export const clientOf = (payload: unknown): string | null => Tenant.parse(payload).clientId;
