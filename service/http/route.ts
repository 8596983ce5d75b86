import type { z } from "zod";
import type { Call } from "@/service/context";
import type { Operation } from "@/service/gateway/operation";
import type { Soon } from "@/service/soon";
import type { Answer } from "./answer";
import { validate } from "./validate";

/** What a request says beside its input. */
export type Particulars = {
  params: Readonly<Record<string, string>>;
  idempotencyKey: string | undefined;
  /** The body or the query as it came. */
  raw: unknown;
};

/** An operation with the verb that answers it. */
export type Route = {
  operation: Operation;
  answer: (call: Call, raw: unknown, particulars: Particulars) => Soon<Answer>;
};

/** Binds an operation of the interface to what answers it; the input arrives parsed by its contract. */
export function route<Input extends z.ZodType>(
  operation: Operation<Input>,
  answer: (call: Call, input: z.output<Input>, particulars: Particulars) => Soon<Answer>,
): Route {
  const validated = new WeakMap<object, { input: z.output<Input> }>();
  // A query is parsed once for as long as its reader gives the same object again; bodies never come twice.
  const inputOf = (raw: unknown): z.output<Input> => {
    if (operation.method !== "GET" || typeof raw !== "object" || raw === null) return validate(operation.input, raw);
    const kept = validated.get(raw);
    if (kept) return kept.input;
    const input = validate(operation.input, raw);
    validated.set(raw, { input });
    return input;
  };
  return { operation, answer: (call, raw, particulars) => answer(call, inputOf(raw), particulars) };
}
