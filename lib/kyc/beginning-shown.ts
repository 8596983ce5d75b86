import { fold } from "@/lib/contract/signs";

const BEGINNING = /^[0-9A-Z]{2,10}$/;

export function beginningShown(typed: string): string | null {
  const signs = fold(typed)
    .replaceAll(/[^0-9A-Za-z]/g, "")
    .toUpperCase();
  return BEGINNING.test(signs) && /\d/.test(signs) ? signs : null;
}
