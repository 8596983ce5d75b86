/** In each file, and signed with it. */
export const FILE_FORMAT = "retaguarda-movements-2";
/** What earlier releases wrote is verified, too: a comma and points in every language, its notes before the table. */
export const FILE_FORMATS = [FILE_FORMAT, "retaguarda-movements-1"] as const;
