export function cn(...names: (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(" ");
}

export const INPUT_CLASS =
  "w-full rounded border border-control bg-surface px-2.5 text-base text-ink outline-offset-0 aria-invalid:border-negative";

/** Hides the results of an earlier search when the text was refused. */
export const ABOVE_RESULTS = "[&:has([name=search][aria-invalid])~*]:hidden!";
