import type { z } from "zod";
import type { ProductFamily } from "@/service/tenants/load-tenants";

type Method = "GET" | "POST" | "PUT";

/** A way an operation's own rules may refuse, beside what the gateway and the validation refuse. */
export type Refusal = 403 | 404 | 409 | 422;

/** What an operation takes and gives; `input` is the query of a GET, else the body, `answer` the body of its 200. */
type Face<Input extends z.ZodType> = {
  summary: string;
  input: Input;
  answer: z.ZodType;
  refusals?: readonly Refusal[];
  /** It moves money, or opens and closes what holds it: it counts against the gateway's rate limit. */
  isFinancial?: boolean;
  /** Antifraud may hold it (202) or block it. */
  isJudged?: boolean;
  /** It takes an Idempotency-Key. */
  isKeyed?: boolean;
};

/**
 * One operation of the interface. `name` is `METHOD /v1/path` as the interface writes it, and as a tenant's
 * `allowedOperations` lists it. `family` null: no product is needed.
 */
export type Operation<Input extends z.ZodType = z.ZodType> = Required<Face<Input>> & {
  name: string;
  method: Method;
  path: string;
  family: ProductFamily | null;
};

const plain = { refusals: [], isFinancial: false, isJudged: false, isKeyed: false };

/** A query: its input is the query string. */
export function reading<Input extends z.ZodType>(
  path: string,
  family: ProductFamily | null,
  face: Face<Input>,
): Operation<Input> {
  return { ...plain, ...face, name: `GET ${path}`, method: "GET", path, family };
}

/** A command: its input is the JSON body. */
export function writing<Input extends z.ZodType>(
  name: `${"POST" | "PUT"} /v1/${string}`,
  family: ProductFamily,
  face: Face<Input>,
): Operation<Input> {
  const method = name.startsWith("PUT") ? "PUT" : "POST";
  return { ...plain, ...face, name, method, path: name.slice(name.indexOf(" ") + 1), family };
}
