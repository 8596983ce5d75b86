/** Whether it is a decimal string at all: what a provider wrote as an amount may be none. */
export const isDecimal = (text: string): text is `${number}` => /^-?\d+(\.\d+)?$/.test(text);

/** Whether a decimal string says no fraction of a cent. */
export const isToTheCent = (decimal: string): boolean => !/\.\d{3,}$/.test(decimal);

/** Whether a decimal string is nothing, however many zeros it is written with. */
export const isZero = (decimal: string): boolean => !/[1-9]/.test(decimal);
