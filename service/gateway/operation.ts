import type { z } from "zod";
import type { ProductFamily } from "@/service/tenants/load-tenants";

type Method = "GET" | "POST" | "PUT";

/** Beside the gateway's and the validation's refusals. */
export type Refusal = 403 | 404 | 409 | 422;

/** `input`: the query of a GET, else the body; `answer`: the body of its 200. */
type Face<Input extends z.ZodType> = {
  summary: string;
  input: Input;
  answer: z.ZodType;
  refusals?: readonly Refusal[];
  /** Counts against the rate limit. */
  isFinancial?: boolean;
  /** Antifraud may hold it (202) or block it. */
  isJudged?: boolean;
  isKeyed?: boolean;
};

/** `name`: `METHOD /v1/path` of the interface, as in `allowedOperations`. `family` null: no product needed. */
export type Operation<Input extends z.ZodType = z.ZodType> = Required<Face<Input>> & {
  name: string;
  method: Method;
  path: string;
  family: ProductFamily | null;
};

const plain = { refusals: [], isFinancial: false, isJudged: false, isKeyed: false };

export function reading<Input extends z.ZodType>(
  path: string,
  family: ProductFamily | null,
  face: Face<Input>,
): Operation<Input> {
  return { ...plain, ...face, name: `GET ${path}`, method: "GET", path, family };
}

export function writing<Input extends z.ZodType>(
  name: `${"POST" | "PUT"} /v1/${string}`,
  family: ProductFamily,
  face: Face<Input>,
): Operation<Input> {
  const method = name.startsWith("PUT") ? "PUT" : "POST";
  return { ...plain, ...face, name, method, path: name.slice(name.indexOf(" ") + 1), family };
}
