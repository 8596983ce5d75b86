import { mayHoldDocument } from "@/lib/contract/document";
import { shownOfDocument } from "./typed-document";

/** Text that may hold a document, also a mistyped one, is looked for without standing in an address. */
export const mayStandInAddress = (typed: string): boolean => !mayHoldDocument(typed);

export const isDocumentIn = (typed: string): boolean => shownOfDocument(typed) !== null || !mayStandInAddress(typed);
