import { setTimeout as pause } from "node:timers/promises";
import { bank } from "@/lib/bank/client";
import { BankError } from "@/lib/bank/answer";
import { createIntents } from "@/lib/bank/intent";
import { Ordering } from "./ordering";
import { hire, orderTransfer, takeUp } from "./transfer-desk";
import { answerQuestions } from "./worker";

/** What takes a person a minute is over in a second. */
const HASTE = 60;

globalThis.retaguardaIntents = createIntents({
  post: bank.post,
  now: () => performance.now() * HASTE,
  sleep: async (ms) => {
    await pause(ms / HASTE);
  },
  random: Math.random,
});

async function orderOnce({ staffId, order }: Extract<Ordering, { kind: "order" }>): Promise<string> {
  await hire(staffId);
  try {
    return (await orderTransfer(staffId, order)).state;
  } catch (error) {
    if (error instanceof BankError) return error.details.code ?? error.kind;
    throw error;
  }
}

answerQuestions(Ordering, async (asked) => {
  if (asked.kind === "order") return orderOnce(asked);
  await takeUp();
  return null;
});
