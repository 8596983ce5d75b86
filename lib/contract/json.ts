import { isSafeNumber, LosslessNumber, parse, stringify } from "lossless-json";

const bothOf = ({ oldValue, newValue }: { oldValue: unknown; newValue: unknown }) => [oldValue, newValue];

/**
 * Reads JSON without losing a digit: a number that a double holds exactly becomes a `number`, any other one a
 * `LosslessNumber` that keeps its text. A byte order mark before it is ignored (RFC 8259, 8.1). Throws `SyntaxError` on
 * text that is not JSON, and on a key with two values unless `mayRepeatKeys`, which keeps both as a list.
 */
export function parseJson(text: string, { mayRepeatKeys = false } = {}): unknown {
  return parse(text.replace(/^\uFEFF/, ""), undefined, {
    parseNumber: (digits: string) => (isSafeNumber(digits) ? Number(digits) : new LosslessNumber(digits)),
    ...(mayRepeatKeys && { onDuplicateKey: bothOf }),
  });
}

/** Writes JSON; a `LosslessNumber` is written digit by digit, as a JSON number. */
export function stringifyJson(value: unknown, indent?: number): string {
  return stringify(value, undefined, indent) ?? "null";
}

/** A decimal string as the JSON number with exactly these digits. */
export function losslessNumber(decimal: string): LosslessNumber {
  return new LosslessNumber(decimal);
}
