import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/browser";
import type { Action } from "@/lib/action";
import type { NewPasskey, PasskeyAnswer } from "@/lib/auth/passkeys";
import { signInResultOf, postAuth, type SignInResult } from "@/lib/auth/view";

export type NewPasskeyRequest = PublicKeyCredentialCreationOptionsJSON;
export type PasskeyRequest = PublicKeyCredentialRequestOptionsJSON;

const browser = () => import("@simplewebauthn/browser");

/** Cancelled, timed out or no suitable authenticator: the browser does not say which. */
function toNone(error: unknown): null {
  if (error instanceof Error) return null;
  throw error;
}

export async function answerPasskey(optionsJSON: PasskeyRequest): Promise<PasskeyAnswer | null> {
  const { startAuthentication } = await browser();
  const answered = await startAuthentication({ optionsJSON }).catch(toNone);
  if (answered === null) return null;
  const { clientDataJSON, authenticatorData, signature } = answered.response;
  return { passkey: answered.id, clientDataJSON, authenticatorData, signature };
}

export async function createPasskey(optionsJSON: NewPasskeyRequest): Promise<Omit<NewPasskey, "name"> | null> {
  const { startRegistration } = await browser();
  const made = await startRegistration({ optionsJSON }).catch(toNone);
  if (made === null) return null;
  const { clientDataJSON, attestationObject, transports = [] } = made.response;
  return { passkey: made.id, clientDataJSON, attestationObject, transports };
}

/** next-auth answers 401 to every refusal; the reason is in the URL. */
async function readOutcome(response: Response): Promise<SignInResult> {
  if (response.ok) return { kind: "done" };
  if (response.status !== 401) return { kind: "failed" };
  const { url }: { url: string } = await response.json();
  return signInResultOf(new URL(url, window.location.origin).searchParams.get("error")) ?? { kind: "wrong" };
}

/** Never throws: a lost connection is a result, too. */
function enter(fields: Record<string, string>): Promise<SignInResult> {
  const sent = postAuth("callback/credentials", { ...fields, callbackUrl: "/" });
  return sent.then(readOutcome).catch((): SignInResult => ({ kind: "failed" }));
}

export const signIn = (email: string, password: string) => enter({ email, password });

export const signInByCode = (code: string) => enter({ code });

export async function signInByPasskey(ask: Action<null, PasskeyRequest | null>): Promise<SignInResult> {
  const asked = await ask(null, "").catch(() => null);
  if (!asked?.ok) return { kind: "failed" };
  if (asked.data === null) return { kind: "expired" };
  const answer = await answerPasskey(asked.data);
  if (answer === null) return { kind: "passkey-unanswered" };
  const outcome = await enter(answer);
  return outcome.kind === "wrong" ? { kind: "passkey-refused" } : outcome;
}

export const confirmPasskey = (enrolment: string) => enter({ enrolment });

export async function singleSignOnAddress(): Promise<string | null> {
  const { pathname, search } = window.location;
  const asked = await postAuth("signin/sso", { callbackUrl: pathname + search }).catch(() => null);
  if (!asked?.ok) return null;
  const { url }: { url: string } = await asked.json();
  return new URL(url, window.location.origin).origin === window.location.origin ? null : url;
}
