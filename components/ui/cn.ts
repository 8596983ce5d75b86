export function cn(...names: (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(" ");
}

export const INPUT_CLASS =
  "w-full rounded border border-control bg-surface px-2.5 text-base text-ink outline-offset-0 aria-invalid:border-negative";

/** What stands below is no result of a text that was not searched for. */
export const ABOVE_RESULTS = "[&:has([name=search][aria-invalid])~*]:hidden!";
