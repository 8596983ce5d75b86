import { createHmac, timingSafeEqual } from "node:crypto";

const mac = (secret: string, body: string) => createHmac("sha256", secret).update(body, "utf8").digest();

/** The signature of a raw body: lower-case hex HMAC-SHA256, without a prefix (interface: Events › Delivery rules). */
export function sign(secret: string, body: string): string {
  return mac(secret, body).toString("hex");
}

/** Whether a receiver may trust the body; takes the same time wherever a wrong signature differs. */
export function verify(secret: string, body: string, signature: string): boolean {
  if (!/^[0-9a-f]{64}$/.test(signature)) return false;
  return timingSafeEqual(Buffer.from(signature, "hex"), mac(secret, body));
}
