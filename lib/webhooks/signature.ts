import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** Which of the tenant's secrets signed: the one in force, or the one that is being given up. */
export type Signer = "current" | "previous";

const MAC_BYTES = 32;
const SIGNATURE = /^[0-9a-f]{64}$/;
/** Nobody's secret: what it would take to sign with is as long to compare with as a secret of somebody's. */
const NOBODY = randomBytes(MAC_BYTES);

const macOf = (secret: string | Uint8Array, body: Uint8Array) => createHmac("sha256", secret).update(body).digest();

/**
 * Who signed these raw bytes (interface: Events › Delivery rules: lower-case hex HMAC-SHA256, no prefix); null when nobody
 * did. As long for a wrong signature as for a right one, for one secret as for two, and for none at all.
 */
export function signerOf(secrets: readonly string[], body: Uint8Array, signature: string): Signer | null {
  const isWellFormed = SIGNATURE.test(signature);
  const given = isWellFormed ? Buffer.from(signature, "hex") : Buffer.alloc(MAC_BYTES);
  const [current, previous] = [0, 1].map((place) => timingSafeEqual(macOf(secrets[place] ?? NOBODY, body), given));
  if (!isWellFormed) return null;
  if (current === true && secrets[0] !== undefined) return "current";
  return previous === true && secrets[1] !== undefined ? "previous" : null;
}
