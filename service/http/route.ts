import type { z } from "zod";
import type { Call, Service } from "@/service/context";
import type { Operation } from "@/service/gateway/operation";
import type { Answer } from "./answer";
import { validate } from "./validate";

/** What a request says beside its input. */
export type Particulars = { params: Readonly<Record<string, string>>; idempotencyKey: string | undefined };

/** An operation with the verb that answers it. */
export type Route = {
  operation: Operation;
  answer: (call: Call, raw: unknown, particulars: Particulars) => Promise<Answer>;
};

/** Binds an operation of the interface to what answers it; the input arrives parsed by its contract. */
export function route<Input extends z.ZodType>(
  operation: Operation<Input>,
  answer: (call: Call, input: z.output<Input>, particulars: Particulars) => Promise<Answer>,
): Route {
  return {
    operation,
    answer: (call, raw, particulars) => answer(call, validate(operation.input, raw), particulars),
  };
}

/** A control route; its parameters stand in braces. It answers with `{data}`. */
export type ControlRoute = {
  method: "GET" | "POST" | "PUT" | "DELETE";
  path: `/sandbox/${string}`;
  answer: (service: Service, raw: unknown, params: Particulars["params"]) => Promise<Answer>;
};

type ControlPath = `${ControlRoute["method"]} /sandbox/${string}`;

/** Binds a control route (`METHOD /sandbox/path`); what `answer` gives becomes `data`. Input: query of a GET, else body. */
export function control<Input extends z.ZodType>(
  name: ControlPath,
  input: Input,
  answer: (service: Service, input: z.output<Input>, params: Particulars["params"]) => Promise<unknown>,
): ControlRoute {
  const method = (["GET", "POST", "PUT", "DELETE"] as const).find((verb) => name.startsWith(`${verb} `)) ?? "GET";
  return {
    method,
    path: `/sandbox/${name.slice(name.indexOf("/sandbox/") + "/sandbox/".length)}`,
    answer: async (service, raw, params) => ({
      status: 200,
      body: { data: await answer(service, validate(input, raw), params) },
    }),
  };
}
