const CPF_WEIGHTS = [11, 10, 9, 8, 7, 6, 5, 4, 3, 2];
const CNPJ_WEIGHTS = [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2];

/** Modulo-11 check digit: a remainder under 2 gives 0. Letters count as their ASCII code less 48 (IN RFB 2.229/2024). */
function checkDigit(characters: string, weights: readonly number[]): number {
  const sum = weights.reduce((total, weight, index) => total + weight * (characters.charCodeAt(index) - 48), 0);
  const remainder = sum % 11;
  return remainder < 2 ? 0 : 11 - remainder;
}

export function completeCpf(base: string): string {
  const first = `${base}${checkDigit(base, CPF_WEIGHTS.slice(1))}`;
  return `${first}${checkDigit(first, CPF_WEIGHTS)}`;
}

/** Completes the first 12 characters of a CNPJ (digits, or letters since July 2026) with its two check digits. */
export function completeCnpj(base: string): string {
  const first = `${base}${checkDigit(base, CNPJ_WEIGHTS.slice(1))}`;
  return `${first}${checkDigit(first, CNPJ_WEIGHTS)}`;
}

export function isCpf(value: string): boolean {
  return /^\d{11}$/.test(value) && !/^(\d)\1{10}$/.test(value) && completeCpf(value.slice(0, 9)) === value;
}

export function isCnpj(value: string): boolean {
  return /^[0-9A-Z]{12}\d{2}$/.test(value) && !/^(.)\1{13}$/.test(value) && completeCnpj(value.slice(0, 12)) === value;
}

export const isDocument = (value: string): boolean => isCpf(value) || isCnpj(value);

/** The CPF or CNPJ in a zero-padded field; null for none. */
export function withoutFilling(digits: string): string | null {
  const [, cnpj = ""] = /^0+(\d{14})$/.exec(digits) ?? [];
  const [, cpf = ""] = /^0+(\d{11})$/.exec(digits) ?? [];
  return [cnpj, cpf].find(isDocument) ?? null;
}

const LEAST_LEFT = 3;

/** The CPF and CNPJ whose leading zeros a spreadsheet may have dropped: few digits may be both. */
export function withDroppedZeros(digits: string): string[] {
  if (!/^[1-9]\d*$/.test(digits) || digits.length < LEAST_LEFT || digits.length > 13 || isDocument(digits)) return [];
  return [digits.padStart(11, "0"), digits.padStart(14, "0")].filter(isDocument);
}
