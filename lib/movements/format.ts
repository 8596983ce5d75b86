/** In each file, and signed with it. */
export const FILE_FORMAT = "retaguarda-movements-1";
