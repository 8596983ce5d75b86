import type { ErrorHandler } from "hono";
import { errorBody, ServiceError } from "@/service/error";
import { respond } from "./answer";
import type { Entry } from "./entry";

/** Turns whatever was thrown into an answer: a `ServiceError` as it says, anything else into 500 with the request id. */
export const onError: ErrorHandler<Entry> = (error, c) => {
  if (error instanceof ServiceError) {
    return respond(c, {
      status: error.status,
      body: errorBody(error),
      headers: error.headers,
    });
  }
  const { requestId, log, connection } = c.env;
  // Whoever hangs up half-way through a request hears no answer, and nothing has failed here.
  if (connection.incoming?.complete === false) log.debug({ requestId }, "request broken off");
  else log.error({ err: error, requestId }, "request failed");
  return respond(c, { status: 500, body: { message: `Unexpected error, request ${requestId}` } });
};
