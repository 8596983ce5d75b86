import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/browser";
import type { NewPasskey, PasskeyAnswer } from "./passkeys";

export type NewPasskeyRequest = PublicKeyCredentialCreationOptionsJSON;
export type PasskeyRequest = PublicKeyCredentialRequestOptionsJSON;

const browser = () => import("@simplewebauthn/browser");

/** Cancelled, timed out or no authenticator that fits: the browser does not say which. */
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
