/** Written in each file, and signed with it. */
export const FILE_FORMAT = "retaguarda-movements-2";
/** Earlier releases' format still verifies: commas and decimal points in every language, notes before the table. */
export const FILE_FORMATS = [FILE_FORMAT, "retaguarda-movements-1"] as const;
