import type { EventEmitter } from "node:events";

const SIGNALS = ["SIGTERM", "SIGINT"] as const;

/**
 * Lets `end` come to its end before those who listened for these signals so far hear of them. Next ends the process once
 * its server is closed, whatever else is under way by then. `end` must not reject.
 */
export function endFirst(program: EventEmitter, end: () => Promise<unknown>): void {
  let ending: Promise<unknown> | undefined;
  for (const signal of SIGNALS) {
    const others = program.listeners(signal);
    program.removeAllListeners(signal);
    const tellOthers = () => others.map((listener): unknown => Reflect.apply(listener, program, [signal]));
    program.on(signal, () => {
      ending ??= end().then(tellOthers);
    });
  }
}
