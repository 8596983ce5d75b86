import { z } from "zod";

const VALID_FOR_MS = 90 * 24 * 60 * 60_000;

export const SecurityContact = z
  .url({ protocol: /^(mailto|https)$/, error: "must be a mailto: or https: address" })
  // One field on one line, so that no value can add another.
  .regex(/^[\x21-\x7e]+$/, { error: "must be a mailto: or https: address" });

/** RFC 9116. */
export function securityTxt(contact: string, { publicUrl, now }: { publicUrl: URL; now: Date }): string {
  const expires = new Date(now.getTime() + VALID_FOR_MS).toISOString();
  const canonical = new URL("/.well-known/security.txt", publicUrl).href;
  return `Contact: ${contact}\nExpires: ${expires}\nCanonical: ${canonical}\n`;
}
