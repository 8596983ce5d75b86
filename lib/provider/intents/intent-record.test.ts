import { expect, it } from "vitest";
import { z } from "zod";
import { readAnswer } from "@/lib/provider/answer";
import { textAnswer } from "@/test/support/provider";
import { judgeFailure } from "./intent-record";

/** interface: Errors › HTTP statuses */
const REFUSALS = [400, 401, 402, 403, 404, 405, 409, 412, 422, 429];
const STATUSES = Array.from({ length: 100 }, (_, n) => 400 + n);
const BODIES = ['{"message":"Saldo insuficiente"}', "<title>Request Timeout</title>", ""];

function judged(status: number, body: string, isKeyed: boolean) {
  try {
    readAnswer(textAnswer(status, body), { answer: z.unknown() }, { requestId: "r-1" });
  } catch (error) {
    return judgeFailure(error, { isKeyed, mayHaveExecuted: false });
  }
  throw new Error(`${status} was an answer`);
}

it.each([false, true])("treats a 4xx that the interface does not name as unknown (key: %s)", (isKeyed) => {
  const refused = STATUSES.filter((status) => BODIES.some((body) => judged(status, body, isKeyed).state === "REFUSED"));
  expect(refused).toEqual(REFUSALS);
});

it("leaves an unknown outcome open, and sends nothing at once", () => {
  for (const status of STATUSES.filter((one) => !REFUSALS.includes(one)))
    expect(judged(status, "", false)).toMatchObject({ state: "UNKNOWN", isConclusive: false, canTryAgain: false });
});
