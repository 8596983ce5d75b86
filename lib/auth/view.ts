import type { PasskeyAnswer } from "./passkeys";
import type { PasswordFault } from "./password";

export const SCOPE_HEADER = "x-retaguarda-scope";

/** Neither half can contain the colon. */
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

export type SignInResult =
  | { kind: "done" | "second-step" | "passkey-step" | "wrong" | "expired" | "failed" }
  | { kind: "passkey-unanswered" | "passkey-refused" }
  | { kind: "wait"; seconds: number };

const WORDS = ["second-step", "passkey-step", "wrong", "expired", "failed"] as const;

/** The sign-in's refusal code in a URL; null for any other word. */
export function signInResultOf(error: string | null): SignInResult | null {
  const seconds = /^wait-(\d{1,9})$/.exec(error ?? "")?.[1];
  if (seconds !== undefined) return { kind: "wait", seconds: Number(seconds) };
  const kind = WORDS.find((word) => word === error);
  return kind === undefined ? null : { kind };
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

export type ProofResult = "done" | "wrong" | "none" | { waitMs: number };

export type ProofInput = string | PasskeyAnswer;

// Separate from the sign-in code, since every screen needs it.
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

/** `none`: they use single sign-on. */
export type PasswordChangeResult = "done" | "wrong" | "none" | "same" | PasswordFault | { waitMs: number };
