import type { Action } from "@/lib/action";
import { answerPasskey, type PasskeyRequest } from "./passkey-browser";
import type { PasskeyAnswer } from "./passkeys";
import type { PasswordFault } from "./password";

export const SCOPE_HEADER = "x-retaguarda-scope";

/** Neither half can hold the colon. */
export const scopeIdOf = ({ staffId, tenant }: { staffId: string; tenant: string }) => `${staffId}:${tenant}`;

export function scopeChange(page: unknown, now: string): "person-changed" | "tenant-changed" | null {
  if (page === now) return null;
  const [person] = now.split(":");
  return typeof page === "string" && page.startsWith(`${person}:`) ? "tenant-changed" : "person-changed";
}

export async function postAuth(path: string, fields: Record<string, string>): Promise<Response> {
  const token: { csrfToken: string } = await (await fetch("/api/auth/csrf")).json();
  return fetch(`/api/auth/${path}`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ ...fields, csrfToken: token.csrfToken, json: "true" }),
  });
}

export type SignInOutcome =
  | { kind: "done" | "second-step" | "passkey-step" | "wrong" | "expired" | "failed" }
  | { kind: "passkey-unanswered" | "passkey-refused" }
  | { kind: "wait"; seconds: number };

const WORDS = ["second-step", "passkey-step", "expired", "failed"] as const;

function outcomeOf(error: string | null): SignInOutcome {
  const seconds = /^wait-(\d+)$/.exec(error ?? "")?.[1];
  if (seconds !== undefined) return { kind: "wait", seconds: Number(seconds) };
  return { kind: WORDS.find((word) => word === error) ?? "wrong" };
}

/** next-auth answers 401 to every refusal; the reason is in the address. */
async function readOutcome(response: Response): Promise<SignInOutcome> {
  if (response.ok) return { kind: "done" };
  if (response.status !== 401) return { kind: "failed" };
  const { url }: { url: string } = await response.json();
  return outcomeOf(new URL(url, window.location.origin).searchParams.get("error"));
}

/** Never throws: a lost connection is an outcome, too. */
function enter(fields: Record<string, string>): Promise<SignInOutcome> {
  const sent = postAuth("callback/credentials", { ...fields, callbackUrl: "/" });
  return sent.then(readOutcome).catch((): SignInOutcome => ({ kind: "failed" }));
}

export const signIn = (email: string, password: string) => enter({ email, password });

export const signInByCode = (code: string) => enter({ code });

export async function signInByPasskey(ask: Action<null, PasskeyRequest | null>): Promise<SignInOutcome> {
  const asked = await ask(null, "").catch(() => null);
  if (!asked?.ok) return { kind: "failed" };
  if (asked.data === null) return { kind: "expired" };
  const answer = await answerPasskey(asked.data);
  if (answer === null) return { kind: "passkey-unanswered" };
  const outcome = await enter(answer);
  return outcome.kind === "wrong" ? { kind: "passkey-refused" } : outcome;
}

export const confirmEnrolment = (enrolment: string) => enter({ enrolment });

export async function singleSignOnAddress(): Promise<string | null> {
  const { pathname, search } = window.location;
  const asked = await postAuth("signin/sso", { callbackUrl: pathname + search }).catch(() => null);
  if (!asked?.ok) return null;
  const { url }: { url: string } = await asked.json();
  return new URL(url, window.location.origin).origin === window.location.origin ? null : url;
}

/** `path` draws the dark modules of a QR code in a square of `size` units. */
export type Enrolment = { secret: string; size: number; path: string };

export type OwnSession = {
  ref: string;
  isThis: boolean;
  browser: string | null;
  system: string | null;
  maskedAddress: string | null;
  how: "password" | "oidc";
  secondFactor: boolean;
  openedAt: string;
  seenAt: string;
};

export type ProofWay = "totp" | "password";

export type ProofOutcome = "done" | "wrong" | "none" | { waitMs: number };

export type ProofInput = string | PasskeyAnswer;

// Apart from the ways in: every screen has the way out.
async function signOut(): Promise<boolean> {
  const sent = await postAuth("signout", { callbackUrl: "/sign-in" }).catch(() => null);
  return sent?.ok === true;
}

/** A whole page load, so that nothing stays in memory. False when the session could not be ended. */
export async function leave(announceEnd: () => void): Promise<boolean> {
  if (!(await signOut())) return false;
  announceEnd();
  window.location.assign("/sign-in");
  return true;
}

export type PasswordChange = { current: string; next: string };

/** `none`: they sign in elsewhere. */
export type ChangeOutcome = "done" | "wrong" | "none" | "same" | PasswordFault | { waitMs: number };
