import { DrizzleQueryError } from "drizzle-orm/errors";
import { AppError } from "@/lib/errors/app-error";
import { hasSent, noteForFront } from "@/lib/log/work";

export const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "unknown";

const sqlStateOf = ({ cause }: DrizzleQueryError): string => codeOf(cause);

/** A query's parameters hold what people typed. */
export function withoutParameters(error: unknown): unknown {
  if (!(error instanceof DrizzleQueryError)) return error;
  return new Error(`the store refused a query (${sqlStateOf(error)})`);
}

const BRAND = Symbol.for("retaguarda.store-unavailable");

const RETRY_AFTER_MS = 5_000;

export class StoreUnavailable extends Error {
  override name = "StoreUnavailable";
  readonly [BRAND] = true;
  readonly code = hasSent() ? "store-lost" : "store-silent";
  readonly digest = `bank:unavailable:${this.code}`;

  // The build holds this class more than once.
  static override [Symbol.hasInstance](value: unknown): value is StoreUnavailable {
    return typeof value === "object" && value !== null && BRAND in value;
  }

  constructor(why: string) {
    super(`the store does not answer (${why})`);
    noteForFront({ isStoreUnavailable: true });
  }
}

/** A store error as a failure for people; any other error unchanged. */
export function asAppError(error: unknown): unknown {
  if (!(error instanceof StoreUnavailable)) return error;
  return new AppError("unavailable", { code: error.code, retryAfterMs: RETRY_AFTER_MS, cause: error });
}

/** SQLSTATE of lost connections, resources, timeouts, locks and ended sessions. */
const UNANSWERED = /^(08|53|55P03|57|58|25P0[34])/;
const SQLSTATE = /^(?=.*\d)[0-9A-Z]{5}$/;

const isUnanswered = (cause: unknown): boolean =>
  SQLSTATE.test(codeOf(cause)) ? UNANSWERED.test(codeOf(cause)) : !(cause instanceof TypeError);

export function rethrowUnanswered(error: unknown): never {
  throw error instanceof DrizzleQueryError && isUnanswered(error.cause)
    ? new StoreUnavailable(sqlStateOf(error))
    : error;
}

/** SQLSTATE of data and constraint errors. */
const OF_ROW = /^(22|23|P0)/;

/** Any other row would fail too. */
export const isStoreTrouble = (error: unknown): boolean =>
  error instanceof StoreUnavailable || (error instanceof DrizzleQueryError && !OF_ROW.test(sqlStateOf(error)));

export function rethrowWithoutParameters(error: unknown): never {
  throw withoutParameters(error);
}
