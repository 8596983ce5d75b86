import { maskDocument } from "@/lib/contract/document";
import { UNOPENED } from "@/lib/text/provider-word";
import { lookupHash, lookupHashes, seal, unseal, unsealedOrNull } from "./seal";
import type { SealedTarget } from "./sealed-columns";

type StoredDocumentColumns = { documentHash: string; documentSealed: string; documentMask: string };

type Holder = { table: "account" | "onboarding"; id: string };

const targetOf = ({ table, id }: Holder): SealedTarget => ({ column: `${table}.document_sealed`, row: [id] });

export function sealDocument(holder: Holder, clear: string): StoredDocumentColumns {
  const documentSealed = seal(clear, targetOf(holder));
  return { documentHash: lookupHash(clear), documentSealed, documentMask: maskDocument(clear) };
}

export function accountDocument({ ref: id, documentSealed }: { ref: string; documentSealed: string }): string {
  return unseal(documentSealed, targetOf({ table: "account", id }));
}

export function onboardingDocument({ id, documentSealed }: { id: string; documentSealed: string }): string {
  return unseal(documentSealed, targetOf({ table: "onboarding", id }));
}

type StoredDocument = { documentHash: string; documentMask: string | null };

function storedOf(
  { documentHash, documentMask }: StoredDocument,
  open: () => string,
): { mask: string; hashes: string[] } {
  const clear = unsealedOrNull(open);
  if (clear === null) return { mask: documentMask ?? UNOPENED, hashes: [documentHash] };
  return { mask: maskDocument(clear), hashes: lookupHashes(clear) };
}

export const shownAccountDocument = (row: StoredDocument & { ref: string; documentSealed: string }) =>
  storedOf(row, () => accountDocument(row));

export const shownOnboardingDocument = (row: StoredDocument & { id: string; documentSealed: string }) =>
  storedOf(row, () => onboardingDocument(row));
