import { parseJson } from "@/lib/contract/json";

/** The value of bytes that are JSON in UTF-8, every digit kept; null when they are not. */
export function readJson(bytes: Uint8Array): { value: unknown } | null {
  try {
    return { value: parseJson(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) };
  } catch {
    return null;
  }
}
