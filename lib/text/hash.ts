import { createHash } from "node:crypto";

/** SHA-256 in hex; of a text, of its bytes in UTF-8. */
export const sha256 = (content: string | Uint8Array): string => createHash("sha256").update(content).digest("hex");

/** Whether a text from an address can stand for a row: PostgreSQL throws at what is no UUID. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}
