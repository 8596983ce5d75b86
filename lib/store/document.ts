import { maskDocument } from "@/lib/contract/document";
import { UNOPENED } from "@/lib/text/typed";
import { lookupHash, lookupHashes, seal, unseal, unsealedOrNull } from "./seal";
import type { SealedPlace } from "./sealed-columns";

type KeptDocument = { documentHash: string; documentSealed: string; documentMask: string };

type Holder = { table: "account" | "onboarding"; id: string };

const placeOf = ({ table, id }: Holder): SealedPlace => ({ column: `${table}.document_sealed`, row: [id] });

export function sealDocument(holder: Holder, clear: string): KeptDocument {
  const documentSealed = seal(clear, placeOf(holder));
  return { documentHash: lookupHash(clear), documentSealed, documentMask: maskDocument(clear) };
}

export function accountDocument({ ref: id, documentSealed }: { ref: string; documentSealed: string }): string {
  return unseal(documentSealed, placeOf({ table: "account", id }));
}

export function onboardingDocument({ id, documentSealed }: { id: string; documentSealed: string }): string {
  return unseal(documentSealed, placeOf({ table: "onboarding", id }));
}

type Kept = { documentHash: string; documentMask: string | null };

function keptOf({ documentHash, documentMask }: Kept, open: () => string): { mask: string; hashes: string[] } {
  const clear = unsealedOrNull(open);
  if (clear === null) return { mask: documentMask ?? UNOPENED, hashes: [documentHash] };
  return { mask: maskDocument(clear), hashes: lookupHashes(clear) };
}

export const shownAccountDocument = (row: Kept & { ref: string; documentSealed: string }) =>
  keptOf(row, () => accountDocument(row));

export const shownOnboardingDocument = (row: Kept & { id: string; documentSealed: string }) =>
  keptOf(row, () => onboardingDocument(row));
