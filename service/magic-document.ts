export type MagicOutcome = "approve" | "refuse" | "ask" | "wait" | "resubmit";

const OUTCOMES: ReadonlyMap<string, MagicOutcome> = new Map([
  ["001", "refuse"],
  ["002", "ask"],
  ["003", "wait"],
  ["004", "resubmit"],
]);

/** A CPF by the three digits before its check digits, a CNPJ by the last three characters of its root. */
export function magicOutcome(document: string): MagicOutcome {
  const digits = document.length === 11 ? document.slice(6, 9) : document.slice(5, 8);
  return OUTCOMES.get(digits) ?? "approve";
}
