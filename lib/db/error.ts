import { DrizzleQueryError } from "drizzle-orm/errors";

const sqlStateOf = ({ cause }: DrizzleQueryError): string =>
  cause !== undefined && "code" in cause && typeof cause.code === "string" ? cause.code : "unknown";

/** A query's parameters hold what people typed. */
export function withoutParameters(error: unknown): unknown {
  if (!(error instanceof DrizzleQueryError)) return error;
  return new Error(`the store refused a query (${sqlStateOf(error)})`);
}

/** SQLSTATE of data and constraint errors. */
const OF_ROW = /^(22|23|P0)/;

/** Any other row would fail too. */
export const isStoreTrouble = (error: unknown): boolean =>
  error instanceof DrizzleQueryError && !OF_ROW.test(sqlStateOf(error));

export function rethrowWithoutParameters(error: unknown): never {
  throw withoutParameters(error);
}
