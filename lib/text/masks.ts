import { isUnopened } from "./provider-word";

/** A document or a name as a screen shows it: `***.456.789-**`, `P••• H•••`. */
export const isMasked = (typed: string) => /^ *\*{2,3}[\dA-Z./-]+\*{2} *$/i.test(typed) || typed.includes("•••");

/** `Maria Aparecida dos Santos`: `M••• A••• d••• S•••`, for names of any length. */
export const maskName = (name: string): string =>
  isUnopened(name)
    ? name
    : name
        .trim()
        .split(/\s+/)
        .map((word) => `${Array.from(word)[0] ?? ""}•••`)
        .join(" ");
