import { createHash } from "node:crypto";

/** In hex; of a text, the hash of its UTF-8. */
export const sha256 = (content: string | Uint8Array): string => createHash("sha256").update(content).digest("hex");

/** PostgreSQL throws for text that is no UUID. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

export function jsonOrUndefined<Json>(text: string, parse: (json: string) => Json): Json | undefined {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
