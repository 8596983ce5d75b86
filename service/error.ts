import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { GatewayErrorCode } from "@/lib/contract/errors";

type Details = { error?: GatewayErrorCode; headers?: Record<string, string> } & Record<string, unknown>;

/** interface: Errors. `headers` become the answer's headers, other details part of its body. */
export class ServiceError extends Error {
  override name = "ServiceError";
  readonly status: ContentfulStatusCode;
  readonly details: Omit<Details, "headers">;
  readonly headers: Record<string, string>;

  constructor(status: ContentfulStatusCode, message: string, { headers = {}, ...details }: Details = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
    this.details = details;
  }
}

export const errorBody = ({ details, message }: ServiceError): Record<string, unknown> => ({ ...details, message });

/** The message starts with the field's path. */
export const invalid = (field: string, text: string) => new ServiceError(400, `${field}: ${text}`);
export const unauthenticated = (message: string) => new ServiceError(401, message);
export const forbidden = (message: string) => new ServiceError(403, message);
export const notFound = (message: string) => new ServiceError(404, message);
export const conflict = (message: string) => new ServiceError(409, message);
export const unprocessable = (message: string) => new ServiceError(422, message);
