/** Apart from the fields, for what needs no more than that. */
export const INPUT_CLASS =
  "w-full rounded border border-control bg-surface px-2.5 text-base text-ink outline-offset-0 aria-invalid:border-negative";
