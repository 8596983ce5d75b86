import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { command, CommandRefusal, runCommand, serveCommands } from "@/lib/db/command";
import { log } from "@/lib/log/log";
import { givenEnv, givenStore } from "@/test/support/console";
import type { Db } from "@/lib/db/connection";
import { answerCommand, COMMANDS } from "./commands";

const count = command({
  name: "test:count",
  input: z.object({ upTo: z.number().max(3) }),
  output: z.array(z.number()),
  run: async (_, { upTo }) => {
    if (upTo === 0) throw new CommandRefusal("there is nothing to count");
    return Array.from({ length: upTo }, (__, index) => index);
  },
});

let db: Db;
beforeEach(async () => {
  vi.spyOn(log, "warn").mockImplementation(() => undefined);
  givenEnv();
  db = await givenStore();
});

describe("the commands that a running console answers", () => {
  it("gives each command a unique name", () => {
    const names = COMMANDS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-z]+:[a-z-]+$/);
  });

  it("tells known commands from unknown ones", async () => {
    await expect(answerCommand(db, { command: "staff:sell", input: {} })).rejects.toThrow("knows no staff:sell");
  });

  it("validates input from the socket, whoever sent it", async () => {
    await expect(answerCommand(db, { command: "staff:add", input: { email: "ana" } })).rejects.toThrow(z.ZodError);
  });
});

describe("a command while a console holds the embedded database", () => {
  let dataDir = "";
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), "commands-"));
    givenEnv({ dataDir, databaseUrl: null });
  });
  afterEach(() => rmSync(dataDir, { recursive: true, force: true }));
  const listen = () =>
    serveCommands(dataDir, (request) => count.answer(db, z.object({ input: z.unknown() }).parse(request).input));

  it("runs a command in the console and returns its answer", async () => {
    listen();
    expect(await runCommand(count, { upTo: 2 })).toEqual([0, 1]);
  });

  it("says why a command was refused", async () => {
    listen();
    await expect(runCommand(count, { upTo: 0 })).rejects.toThrow(new CommandRefusal("there is nothing to count"));
  });

  it("does not send a command with invalid input", async () => {
    await expect(runCommand(count, { upTo: 4 })).rejects.toThrow(/^upTo: /);
  });
});
