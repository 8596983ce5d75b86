import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { isoCBOR } from "@simplewebauthn/server/helpers";
import { UNKNOWN_DEVICE } from "@/lib/auth/sign-in-try";
import { enterByPassword, type Opened } from "@/lib/auth/entry";
import type { Session } from "@/lib/auth/sessions";
import type { NewPasskey, PasskeyAnswer } from "@/lib/auth/passkeys";

/** A session as `getSession` returns it, for a person who has just signed in. */
export function sessionOf(given: Partial<Session> = {}): Session {
  return {
    idHash: "h",
    ref: "00000000-0000-4000-8000-0000000000aa",
    staffId: "staff-1",
    name: "Ana",
    email: "ana@aurora.example",
    roles: ["compliance"],
    tenant: "aurora",
    provenAt: new Date(),
    isProven: true,
    secondFactor: false,
    mustEnrol: false,
    endsInMs: 30 * 60_000,
    ...given,
  };
}

/** Signs in from an unknown address; null when refused, or when a second step is left. */
export async function openSession(email: string, password: string): Promise<Opened | null> {
  const entered = await enterByPassword({ email, password, device: UNKNOWN_DEVICE });
  return entered !== null && "sessionId" in entered ? entered : null;
}

const sha256 = (bytes: Buffer | string) => createHash("sha256").update(bytes).digest();
const base64Url = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url");
const PRESENT = 0x01;
const VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

/** Deviations of the browser and its authenticator. */
type Askew = { origin?: string; rpId?: string; counter?: number; isVerified?: boolean };

const clientDataOf = (type: string, challenge: string, { origin = "http://localhost:3000" }: Askew) =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));

/** A software authenticator with one passkey, as in a browser at `http://localhost:3000`. */
export function createAuthenticator() {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const id = randomBytes(32);
  let count = 0;

  const dataOf = ({ rpId = "localhost", counter = (count += 1), isVerified = true }: Askew, flags: number) => {
    const counted = Buffer.alloc(4);
    counted.writeUInt32BE(counter);
    return Buffer.concat([sha256(rpId), Buffer.of(PRESENT | (isVerified ? VERIFIED : 0) | flags), counted]);
  };

  function register({ challenge }: { challenge: string }, askew: Askew = {}): NewPasskey {
    const key = isoCBOR.encode(
      new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, new Uint8Array(Buffer.from(x, "base64url"))],
        [-3, new Uint8Array(Buffer.from(y, "base64url"))],
      ]),
    );
    const authData = Buffer.concat([dataOf(askew, HAS_CREDENTIAL), Buffer.alloc(16), Buffer.of(0, id.length), id, key]);
    const attestation = new Map<string, string | Map<string, string> | Uint8Array>([
      ["fmt", "none"],
      ["attStmt", new Map<string, string>()],
      ["authData", new Uint8Array(authData)],
    ]);
    return {
      name: "Notebook",
      passkey: base64Url(id),
      clientDataJSON: base64Url(clientDataOf("webauthn.create", challenge, askew)),
      attestationObject: base64Url(isoCBOR.encode(attestation)),
      transports: ["internal"],
    };
  }

  function answer({ challenge }: { challenge: string }, askew: Askew = {}): PasskeyAnswer {
    const authenticatorData = dataOf(askew, 0);
    const clientData = clientDataOf("webauthn.get", challenge, askew);
    const signature = sign("sha256", Buffer.concat([authenticatorData, sha256(clientData)]), privateKey);
    return {
      passkey: base64Url(id),
      clientDataJSON: base64Url(clientData),
      authenticatorData: base64Url(authenticatorData),
      signature: base64Url(signature),
    };
  }
  return { register, answer };
}
