import { once } from "node:events";
import type { z } from "zod";
import { launch, type Program, whenEnded } from "@/bench/service/program";

/** A process that runs the console's own code: asked one thing at a time over its channel, it answers each. */
export type Worker = Program & { ask: (question: unknown) => Promise<unknown> };

export function startWorker(how: { file: string; environment: Record<string, string> }): Worker {
  const program = launch(how);
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
