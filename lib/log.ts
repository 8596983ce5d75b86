import { pino } from "pino";

/** JSON lines on standard error. Never a document, a token, a secret or a query string: callers log names and numbers. */
export const log = pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime }, pino.destination(2));
