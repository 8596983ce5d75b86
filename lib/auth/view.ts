import type { Action } from "@/lib/action";
import { answerPasskey, type PasskeyRequest } from "./passkey-browser";
import type { PasskeyAnswer } from "./passkeys";
import type { PasswordFault } from "./password";

/** What a page sends with all it reads and writes: whose it is and at which tenant. */
export const DESK_HEADER = "x-retaguarda-desk";

/** Who works where; neither half can hold the colon. */
export const deskIdOf = ({ staffId, tenant }: { staffId: string; tenant: string }) => `${staffId}:${tenant}`;

/** Why a page of the first desk may not act at the second one; null when they are one. */
export function deskChange(page: unknown, now: string): "person-changed" | "tenant-changed" | null {
  if (page === now) return null;
  const [person] = now.split(":");
  return typeof page === "string" && page.startsWith(`${person}:`) ? "tenant-changed" : "person-changed";
}

/** Posts a form to the routes of the sign-in, with their token against forgery. */
export async function postAuth(path: string, fields: Record<string, string>): Promise<Response> {
  const token: { csrfToken: string } = await (await fetch("/api/auth/csrf")).json();
  return fetch(`/api/auth/${path}`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ ...fields, csrfToken: token.csrfToken, json: "true" }),
  });
}

/**
 * Why nobody came in, or that a code is left to type, or a passkey to use instead; `seconds` is how long to wait before the
 * next try.
 */
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

/** next-auth answers 401 to every refusal; which one stands in the address it would lead to. */
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

/** Asks for a session from the browser; the answer sets its cookie, or says that a code is left. */
export const signIn = (email: string, password: string) => enter({ email, password });

/** The second step: a code of the app, or a recovery code. */
export const signInByCode = (code: string) => enter({ code });

/** The second step by a passkey, which signs what `ask` answers. */
export async function signInByPasskey(ask: Action<null, PasskeyRequest | null>): Promise<SignInOutcome> {
  const [asked] = await Promise.allSettled([ask(null, "")]);
  if (asked.status === "rejected" || !asked.value.ok) return { kind: "failed" };
  if (asked.value.data === null) return { kind: "expired" };
  const answer = await answerPasskey(asked.value.data);
  if (answer === null) return { kind: "passkey-unanswered" };
  const outcome = await enter(answer);
  return outcome.kind === "wrong" ? { kind: "passkey-refused" } : outcome;
}

/** Makes the app that shows this code the second factor; the session goes on under a new cookie. */
export const confirmEnrolment = (enrolment: string) => enter({ enrolment });

/** The address at the company's sign-in to go to, from which one comes back to this page; null when it cannot be reached. */
export async function singleSignOnAddress(): Promise<string | null> {
  const { pathname, search } = window.location;
  const [asked] = await Promise.allSettled([postAuth("signin/sso", { callbackUrl: pathname + search })]);
  if (asked.status === "rejected" || !asked.value.ok) return null;
  const { url }: { url: string } = await asked.value.json();
  return new URL(url, window.location.origin).origin === window.location.origin ? null : url;
}

/** What setting an authenticator app up shows. `path` draws the dark modules of a QR code in a square of `size` units. */
export type Enrolment = { secret: string; size: number; path: string };

/** One of a person's sessions as its owner sees it; instants are ISO. */
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

/** By what somebody proves, within a session, that it is still they: by their second factor as soon as they have one. */
export type ProofWay = "totp" | "password";

/** What came of a proof; `none`: there is nothing yet that this person could prove it by. */
export type ProofOutcome = "done" | "wrong" | "none" | { waitMs: number };

/** A password or a code as it was typed, or what a passkey answered. */
export type ProofInput = string | PasskeyAnswer;

// Apart from the ways in: every screen has the way out.
/** Ends the session of this browser; false when the server did not say that it has ended. */
async function signOut(): Promise<boolean> {
  const [sent] = await Promise.allSettled([postAuth("signout", { callbackUrl: "/sign-in" })]);
  return sent.status === "fulfilled" && sent.value.ok;
}

/**
 * Ends the session, tells the other tabs, and leaves with a whole page load: nothing of it stays in memory. False when the
 * session could not be ended: nobody may go believing that it was.
 */
export async function leave(announceEnd: () => void): Promise<boolean> {
  if (!(await signOut())) return false;
  announceEnd();
  window.location.assign("/sign-in");
  return true;
}

export type PasswordChange = { current: string; next: string };

/** What came of it; "none" for who signs in elsewhere and has no password here. */
export type ChangeOutcome = "done" | "wrong" | "none" | "same" | PasswordFault | { waitMs: number };
