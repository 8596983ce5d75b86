import { parseJson } from "@/lib/contract/json";

/** Keeps every digit; null for anything else. */
export function readJson(bytes: Uint8Array): { value: unknown } | null {
  try {
    return { value: parseJson(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) };
  } catch {
    return null;
  }
}
