import { setTimeout as pause } from "node:timers/promises";
import { AccountRequested, OnboardingRecord } from "@/lib/contract/onboarding";
import { accountRequest } from "@/bench/holder";
import { bodyOf, type Desk } from "./desk";

export type Account = { accountId: string; documentNumber: string; onBoardingId: string };

const POLL_MS = 50;
const CONFIRMED_WITHIN_MS = 120_000;

/**
 * Asks for an account and gives its onboarding id; null when the answer was lost and only that it exists is known, which
 * another request for the same document (409) tells.
 */
export async function requestAccount({ ask }: Desk, documentNumber: string): Promise<string | null> {
  const body = JSON.stringify(accountRequest(documentNumber));
  const answer = await ask({ method: "POST", path: "/v1/bank-accounts/create", body });
  if (answer.status === 409 && answer.asked > 1) return null;
  return AccountRequested.parse(bodyOf(answer)).data.body.onBoardingId;
}

/** Waits until the provider has confirmed it; gives the account's id. */
export async function untilConfirmed({ ask }: Desk, onBoardingId: string): Promise<string> {
  const lateAtMs = performance.now() + CONFIRMED_WITHIN_MS;
  for (;;) {
    const answer = await ask({ method: "GET", path: `/v1/bank-accounts/checkOnboarding?onBoardingId=${onBoardingId}` });
    const { status, body } = OnboardingRecord.parse(bodyOf(answer)).data;
    if (status === "CONFIRMED" && body.account.accountId !== null) return body.account.accountId;
    if (status !== "PROCESSING" || performance.now() > lateAtMs)
      throw new Error(`onboarding ${onBoardingId} is ${status}, not confirmed`);
    await pause(POLL_MS);
  }
}

/** Opens an account with money on it, before any storm. */
export async function openAccount(desk: Desk, documentNumber: string, reais: number): Promise<Account> {
  const onBoardingId = await requestAccount(desk, documentNumber);
  if (onBoardingId === null) throw new Error("the document has an account already");
  const accountId = await untilConfirmed(desk, onBoardingId);
  const body = JSON.stringify({ amount: reais });
  bodyOf(await desk.control({ method: "POST", path: `/sandbox/bank-accounts/${accountId}/credit`, body }));
  return { accountId, documentNumber, onBoardingId };
}
