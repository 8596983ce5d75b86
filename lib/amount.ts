/** Whether a decimal string is nothing, however many zeros it is written with. */
export const isZero = (decimal: string): boolean => !/[1-9]/.test(decimal);
