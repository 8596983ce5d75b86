import { z } from "zod";
import { isStorable } from "@/lib/contract/shared";
import { findIn, type Wanted } from "@/lib/contract/open-answer";
import type { Wake } from "./view";

/**
 * What an event lets us look at again. Which event it is stands in a header that nobody signs: what the signed body is about
 * comes first, and the header only where that names nothing.
 */
export type Hint =
  | { wakes: "onboarding"; onBoardingId: string | null }
  | { wakes: "wallets"; walletId: string | null; network: string | null }
  | { wakes: "kyc"; kycUUID: string | null }
  | { wakes: "transfers"; accountId: string | null };

const Id = z.string().trim().min(1).max(200).refine(isStorable);

/** What a payload, which the interface does not show, says under one of the names that are known. */
const idIn = (payload: unknown, wanted: Wanted) => Id.safeParse(findIn(payload, wanted)?.text).data ?? null;

/** The families of events, by how their names begin; those of the interface are in the first and the second. */
const FAMILIES: readonly (readonly [start: RegExp, wakes: Wake])[] = [
  [/^onboarding-/, "onboarding"],
  [/^crypto-/, "wallets"],
  [/^kyc-/, "kyc"],
  [/^(transfer|pix|ted|boleto)-/, "transfers"],
];

/** What the event is about; null when it is nothing that we keep: then it is kept itself, and shown. */
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

/**
 * The same for all hints that one look answers: the whole of the KYC list and of open transfers are each looked at in one go,
 * whichever case or account they name.
 */
export function hintKeyOf(hint: Hint): string {
  if (hint.wakes === "onboarding") return JSON.stringify(["onboarding", hint.onBoardingId]);
  if (hint.wakes === "wallets") return JSON.stringify(["wallets", hint.walletId, hint.network]);
  return JSON.stringify([hint.wakes]);
}

/** Under the one name that the interface has for it: any other may be a customer's. */
const Tenant = z.object({ clientId: Id.nullable().catch(null) }).catch({ clientId: null });

/** Whose event the body says that it is; null when it does not say. */
export const clientOf = (payload: unknown): string | null => Tenant.parse(payload).clientId;
