import { isSafeNumber, LosslessNumber, parse, stringify } from "lossless-json";

/**
 * Reads JSON without losing a digit: a number that a double holds exactly becomes a `number`, any other one a
 * `LosslessNumber` that keeps its text. A byte order mark before it is ignored (RFC 8259, 8.1). Throws `SyntaxError` on
 * text that is not JSON.
 */
export function parseJson(text: string): unknown {
  return parse(text.replace(/^\uFEFF/, ""), undefined, {
    parseNumber: (digits) => (isSafeNumber(digits) ? Number(digits) : new LosslessNumber(digits)),
    onDuplicateKey: ({ oldValue, newValue }) => [oldValue, newValue],
  });
}

/** Writes JSON; a `LosslessNumber` is written digit by digit, as a JSON number. */
export function stringifyJson(value: unknown): string {
  return stringify(value) ?? "null";
}

/** A decimal string as the JSON number with exactly these digits. */
export function losslessNumber(decimal: string): LosslessNumber {
  return new LosslessNumber(decimal);
}
