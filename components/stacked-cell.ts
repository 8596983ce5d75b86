/** A cell that goes below the first line where a table of rows that open is stacked. */
export const BELOW = "@max-[38rem]:order-1 @max-[38rem]:col-span-2";

/** A cell that is left out there: what the row opens says it too. */
export const WIDE_ONLY = "@max-[38rem]:hidden!";
