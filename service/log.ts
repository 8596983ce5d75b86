import { destination, type Logger, pino } from "pino";
import { sqlState } from "@/service/store/transaction";

const STANDARD_ERROR = 2;

/** A database's messages quote values, so only code and place are logged. */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error };
  const frames = (error.stack ?? "").split("\n").filter((line) => line.startsWith("    at "));
  const state = sqlState(error);
  if (state !== undefined) return { type: error.name, sqlState: state, stack: frames };
  const isQuery = "query" in error && "params" in error;
  return { type: error.name, message: isQuery ? "a query failed" : error.message, stack: frames };
}

/** Never a secret, a token or a document. */
export function createLog(level: string): Logger {
  return pino({ level, base: null, serializers: { err: describeError } }, destination(STANDARD_ERROR));
}
