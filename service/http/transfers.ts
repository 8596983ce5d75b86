import type { Operation } from "@/service/gateway/operation";
import { operations } from "@/service/gateway/operations";
import type { Call } from "@/service/context";
import { claimOf } from "@/service/idempotency/claim";
import type { Asking } from "@/service/transfers/order";
import { transferExternally } from "@/service/transfers/transfer-externally";
import { transferInternally } from "@/service/transfers/transfer-internally";
import { type Answer, ok, statusAnswer, textOf } from "./answer";
import { type Particulars, route } from "./route";
import { screenedAnswer } from "./screened";

/** Asks under the request's Idempotency-Key, if it has one; the answer to a transfer that is done is `done`'s. */
function asking(
  call: Call,
  { name }: Operation,
  { idempotencyKey, raw, done }: Particulars & { done: (transactionId: string) => Answer },
): Asking {
  return {
    claim: claimOf({ operation: name, clientId: call.tenant.clientId, key: idempotencyKey, body: raw }),
    answer: (outcome) => {
      const answer = screenedAnswer(outcome, ({ transactionId }) => done(transactionId));
      return { status: answer.status, text: textOf(answer) };
    },
  };
}

const confirmed = (transactionId: string) => ok({ status: "CONFIRMED", data: { transactionId } });

export const transferRoutes = [
  route(operations.transferInternally, (call, input, particulars) => {
    const request = { ...particulars, done: confirmed };
    return transferInternally(call, input, asking(call, operations.transferInternally, request));
  }),
  route(operations.transferExternally, (call, input, particulars) => {
    const done = (transactionId: string) => statusAnswer(call, { transactionId, status: "CONFIRMED" });
    return transferExternally(call, input, asking(call, operations.transferExternally, { ...particulars, done }));
  }),
];
