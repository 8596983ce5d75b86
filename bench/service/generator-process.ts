import { once } from "node:events";
import { type Load, Measured } from "./load";
import { launch, whenEnded } from "./program";

/** The load generator at work in its own process, one load at a time. */
export type Generator = { put: (load: Load) => Promise<Measured>; stop: () => Promise<void> };

/** Starts the load generator. `put` rejects when an answer was not 200: what was measured then means nothing. */
export function startGenerator(): Generator {
  const program = launch({ file: "bench/service/generator.ts" });
  const ended = whenEnded(program);
  return {
    put: async (load) => {
      program.child.send(load);
      const [message]: unknown[] = await Promise.race([once(program.child, "message"), ended]);
      const measured = Measured.parse(message);
      if (measured.refused !== undefined) throw new Error(`the load was refused: ${measured.refused}`);
      return measured;
    },
    stop: program.stop,
  };
}
