import { isNumberWithBranch, numberIn } from "@/lib/accounts/look-up";
import { readPixKey } from "@/lib/accounts/inputs";
import { documentsWithin, holdsSeveral, isCnpj, isCpf, maskDocument } from "@/lib/contract/document";
import { normaliseDocument, pastedWords } from "@/lib/contract/fold";
import { fold } from "@/lib/contract/signs";
import { canBeId } from "@/lib/onboarding/inputs";
import { isMasked } from "@/lib/text/masks";
import { isUuid } from "@/lib/text/decode";
import { pastedAddress } from "@/lib/wallets/inputs";
import type { SearchShape } from "./view";

export const ADDRESS = /^(0x[\da-f]{40}|[13a-km-z][1-9a-z]{25,60}|bc1[\da-z]{20,70}|X[1-9a-z]{46})$/i;

/** A chain transaction: 64 hexadecimal digits, or a Solana signature. */
export const HASH = /^((0x)?[\da-f]{64}|[1-9a-z]{80,90})$/i;

/** A PIX transaction in the central bank's format: the payer's ISPB, the minute and eleven characters. */
const END_TO_END = /^[ED]\d{20}[\da-z]{11}$/i;

/** Digits of a document's length, or letters among them when punctuated like a CNPJ. */
const SLIP = /^(\d{3}[.\s]?\d{3}[.\s]?\d{3}[-\s]?\d{2}|\d{14}|[\dA-Z]{2}\.[\dA-Z]{3}\.[\dA-Z]{3}\/[\dA-Z]{4}-\d{2})$/i;

const CPF_MASK = /^\*{3}\.?(\d{3})\.?(\d{3})-?\*{2}$/;
const CNPJ_MASK = /^\*{2}\.?([\dA-Z]{3})\.?([\dA-Z]{3})\/?([\dA-Z]{4})-?\*{2}$/;

export function documentMask(typed: string): string | null {
  const text = fold(typed).trim().toUpperCase();
  const shown = CPF_MASK.exec(text) ?? CNPJ_MASK.exec(text);
  return shown === null ? null : maskDocument(`${shown[3] === undefined ? "***" : "**"}${shown.slice(1).join("")}**`);
}

/** The one hash, address, transaction or record id within words or an explorer's link; else the text as it is. */
export function soleIdIn(typed: string): string {
  const [id, another] = pastedWords(typed).parts.filter(
    (part) => isUuid(part) || HASH.test(part) || END_TO_END.test(part) || ADDRESS.test(part),
  );
  const shape = shapeOf(typed);
  return id !== undefined && another === undefined && (shape === null || shape === "id") ? id : typed;
}

export function shapeOf(typed: string): SearchShape | null {
  if (isMasked(typed)) return "mask";
  if (END_TO_END.test(typed)) return "id";
  if (isNumberWithBranch(typed)) return "number";
  const document = normaliseDocument(typed);
  if (isCpf(document)) return "cpf";
  if (isCnpj(document)) return "cnpj";
  if (SLIP.test(fold(typed).trim())) return "slip";
  if (numberIn(typed) !== null) return "number";
  if (isUuid(typed)) return "uuid";
  if (HASH.test(typed)) return "hash";
  if (ADDRESS.test(pastedAddress(typed))) return "address";
  if (readPixKey(typed) !== null) return "pix-key";
  if (/^(?:\d{11}|\d{14})$/.test(document)) return "slip";
  if (holdsSeveral(typed)) return "several";
  if (documentsWithin(typed).length > 0) return "slip";
  return canBeId(typed) ? "id" : null;
}
