import { once } from "node:events";
import { z } from "zod";
import { type Program, launch, whenEnded } from "@/bench/service/program";
import { INTENT_STEPS } from "@/lib/bank/intent";

/** What the people of one console process do: each of them thinks, clicks, waits for the answer and thinks again. */
export const Shift = z.object({
  people: z.number(),
  seconds: z.number(),
  /** On average; the first clicks come within two seconds, as after a break. */
  thinkSeconds: z.number(),
  /** How many of a hundred clicks order a transfer; the others look at something. */
  transferPercent: z.number(),
  accounts: z.array(z.object({ accountId: z.string(), documentNumber: z.string() })).min(2),
  seed: z.number(),
});
export type Shift = z.infer<typeof Shift>;

const Clicks = z.object({ answered: z.number(), failures: z.record(z.string(), z.number()) });
export type Clicks = z.infer<typeof Clicks>;

export const ShiftOutcome = z.object({
  looks: Clicks,
  transfers: Clicks,
  /** From the click to the answer. */
  transferMs: z.array(z.number()),
});
export type ShiftOutcome = z.infer<typeof ShiftOutcome>;

/** Pages of the KYC list for a process to read, all at the same time: each is a call of its own. */
export const Reading = z.object({ pages: z.array(z.number()) });
export type Reading = z.infer<typeof Reading>;

/** How many of them were answered, and how often which error stood in the place of an answer. */
export const ReadingOutcome = z.object({ answered: z.number(), failures: z.record(z.string(), z.number()) });
export type ReadingOutcome = z.infer<typeof ReadingOutcome>;

/** A transfer of the bench; its intent is its description, by which the service's statement names it. */
export const Order = z.object({
  intentId: z.uuid(),
  accountIdFrom: z.string(),
  accountIdTo: z.string(),
  amount: z.string(),
});
export type Order = z.infer<typeof Order>;

/** What a process that orders transfers is asked: to order one, or to take up what is left. */
export const Ordering = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("order"), staffId: z.uuid(), order: Order }),
  z.object({ kind: z.literal("take-up") }),
]);
export type Ordering = z.infer<typeof Ordering>;

/** Where a process may be killed by itself: at the points an intent passes, and between them on its way out. */
export const OWN_LABELS = [...INTENT_STEPS, "on-the-wire"] as const;
/** Where the proxy kills it. */
const PROXY_LABELS = ["request-received", "answer-lost", "half-head", "half-body"] as const;
export const LABELS = [...OWN_LABELS, ...PROXY_LABELS] as const;
export type Label = (typeof LABELS)[number];

/** What one console process does: take up what the one before left, then, unless it is the last, order a transfer. */
export const Life = z.object({
  staffId: z.uuid(),
  order: Order.nullable(),
  /** Where it kills itself; null when the proxy does, or nobody. */
  diesAt: z.enum(OWN_LABELS).nullable(),
  /** Whether it may die while it takes up what was left. */
  mayDieRecovering: z.boolean(),
});
export type Life = z.infer<typeof Life>;

/** What a process of the console's own code is started for. */
export const Job = z.enum(["read", "order", "shift", "die"]);
export type Job = z.infer<typeof Job>;

export const launchWorker = (job: Job, environment: Record<string, string>): Program =>
  launch({ file: "bench/bank/worker-process.ts", environment: { ...environment, JOB: job } });

/** A process that runs the console's own code: asked one thing at a time over its channel, it answers each. */
export type Worker = Program & { ask: (question: unknown) => Promise<unknown> };

export function startWorker(job: Job, environment: Record<string, string>): Worker {
  const program = launchWorker(job, environment);
  const ended = whenEnded(program);
  return {
    ...program,
    ask: async (question) => {
      const answered = once(program.child, "message");
      program.child.send(JSON.stringify(question));
      const [answer]: unknown[] = await Promise.race([answered, ended]);
      return answer;
    },
  };
}

/** The worker's side: answers what it is asked until it is stopped. A failure ends it, and with it the figure. */
export function answerQuestions<Question extends z.ZodType>(
  schema: Question,
  answer: (question: z.output<Question>) => Promise<unknown>,
): void {
  process.on("message", (message) => {
    void answer(schema.parse(JSON.parse(String(message)))).then((reply) => process.send?.(reply ?? null));
  });
}
