import type { z } from "zod";
import type { ProductFamily } from "@/service/tenants/tenant";

type Method = "GET" | "POST" | "PUT";

/**
 * One operation of the interface. `name` is `METHOD /v1/path` as the interface writes it, and as a tenant's
 * `allowedOperations` lists it. `family` null: no product is needed. `input` is the query of a GET, else the body.
 */
export type Operation<Input extends z.ZodType = z.ZodType> = {
  name: string;
  method: Method;
  path: string;
  family: ProductFamily | null;
  isFinancial: boolean;
  input: Input;
};

/** A query: its input is the query string. */
export function reading<Input extends z.ZodType>(path: string, family: ProductFamily | null, input: Input) {
  const operation: Operation<Input> = { name: `GET ${path}`, method: "GET", path, family, isFinancial: false, input };
  return operation;
}

/** A command: its input is the JSON body. */
export function writing<Input extends z.ZodType>(
  name: `${"POST" | "PUT"} /v1/${string}`,
  family: ProductFamily,
  input: Input,
): Operation<Input> {
  const method = name.startsWith("PUT") ? "PUT" : "POST";
  return { name, method, path: name.slice(name.indexOf(" ") + 1), family, isFinancial: false, input };
}

/** A command that moves money or opens and closes what holds it: it counts against the gateway's rate limit. */
export function financial<Input extends z.ZodType>(operation: Operation<Input>): Operation<Input> {
  return { ...operation, isFinancial: true };
}
