import { EventEmitter } from "node:events";
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { endFirst } from "./boot";

describe("the end of the console", () => {
  it.each(["SIGTERM", "SIGINT"])("closes the store on %s once, before the server", async (signal) => {
    const told: string[] = [];
    const program = new EventEmitter();
    const ends: (() => void)[] = [];
    program.on("SIGTERM", (received) => told.push(`server ${received}`));
    program.on("SIGINT", (received) => told.push(`server ${received}`));
    endFirst(program, () => {
      told.push("console");
      return new Promise<void>((resolve) => {
        ends.push(resolve);
      });
    });
    program.emit(signal);
    program.emit(signal);
    await nextTurn();
    expect(told).toEqual(["console"]);
    for (const end of ends) end();
    await nextTurn();
    expect(told).toEqual(["console", `server ${signal}`]);
  });
});
