/** Stands in the place of a sealed value that does not open: in every language, and where no sentence can. */
export const UNOPENED = "⊘";

export const isUnopened = (shown: string): boolean => shown === UNOPENED;
