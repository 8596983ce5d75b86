import { DrizzleQueryError } from "drizzle-orm/errors";

/** An error of the store without the query and its parameters, which hold what people typed; any other as it is. */
export function withoutParameters(error: unknown): unknown {
  if (!(error instanceof DrizzleQueryError)) return error;
  const { cause } = error;
  const code = cause !== undefined && "code" in cause && typeof cause.code === "string" ? cause.code : "unknown";
  return new Error(`the store refused a query (${code})`);
}

/** For the doors through which errors reach logs and answers. */
export function rethrowWithoutParameters(error: unknown): never {
  throw withoutParameters(error);
}
