import { keyOf } from "@/components/ui/keys";

let typed: string | null = null;

function note(event: KeyboardEvent): void {
  const key = keyOf(event);
  if (/^[1-9]$/.test(key)) typed = key;
}

/** A reason's digit that is typed while its dialog and the case are still on their way is kept until `takeDigit`. */
export function heedDigits(): void {
  typed = null;
  window.addEventListener("keydown", note, true);
}

export function takeDigit(): string | null {
  window.removeEventListener("keydown", note, true);
  const digit = typed;
  typed = null;
  return digit;
}
