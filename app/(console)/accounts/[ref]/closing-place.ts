/** Element id that receives the focus. */
export const CLOSING_NOTICE = "closing-notice";
