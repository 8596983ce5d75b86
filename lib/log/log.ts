import { pino } from "pino";

export const logOptions = { base: null, timestamp: pino.stdTimeFunctions.isoTime };

/** Never a document, a token, a secret or a query string: callers log names and numbers. */
export const log = pino(logOptions, pino.destination(2));
