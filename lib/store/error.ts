import { DrizzleQueryError } from "drizzle-orm/errors";

const sqlStateOf = ({ cause }: DrizzleQueryError): string =>
  cause !== undefined && "code" in cause && typeof cause.code === "string" ? cause.code : "unknown";

/** An error of the store without the query and its parameters, which hold what people typed; any other as it is. */
export function withoutParameters(error: unknown): unknown {
  if (!(error instanceof DrizzleQueryError)) return error;
  return new Error(`the store refused a query (${sqlStateOf(error)})`);
}

/** What a row itself is refused for: its data, a constraint (SQLSTATE classes 22, 23, P0). */
const OF_ROW = /^(22|23|P0)/;

/** Whether it is the store that fails, so that any other row would fare the same. */
export const isStoreTrouble = (error: unknown): boolean =>
  error instanceof DrizzleQueryError && !OF_ROW.test(sqlStateOf(error));

/** For the doors through which errors reach logs and answers. */
export function rethrowWithoutParameters(error: unknown): never {
  throw withoutParameters(error);
}
