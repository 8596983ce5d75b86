import { once } from "node:events";
import { type Load, Measured } from "./load";
import { launch, whenEnded } from "./program";

/** The load generator at work, one load at a time. */
export type Generator = { put: (load: Load) => Promise<Measured>; stop: () => Promise<void> };

/** As many as pgbench is given threads. */
const PROCESSES = 2;

function startProcess(): Generator {
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

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

/** Rates add up; of the latencies the worse ones stand. */
function together(parts: readonly Measured[]): Measured {
  return {
    answers: sum(parts.map((part) => part.answers)),
    perSecond: sum(parts.map((part) => part.perSecond)),
    p50Ms: Math.max(...parts.map((part) => part.p50Ms)),
    p99Ms: Math.max(...parts.map((part) => part.p99Ms)),
  };
}

/**
 * Starts the processes of the load generator, which share a load's clients. `put` rejects when an answer was not 200: what
 * was measured then means nothing.
 */
export function startGenerator(): Generator {
  const processes = Array.from({ length: PROCESSES }, startProcess);
  return {
    put: async (load) => {
      const shares = processes.map((_, index) => Math.floor((load.clients + index) / PROCESSES));
      const parts = processes.flatMap((each, index) => {
        const clients = shares[index] ?? 0;
        return clients > 0 ? [each.put({ ...load, clients })] : [];
      });
      return together(await Promise.all(parts));
    },
    stop: async () => {
      await Promise.all(processes.map((each) => each.stop()));
    },
  };
}
