import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { askConsole, CommandRefusal, serveCommands } from "./command";
import { log } from "@/lib/log/log";

let dataDir = "";
beforeEach(() => {
  vi.spyOn(log, "warn").mockImplementation(() => undefined);
  dataDir = mkdtempSync(join(tmpdir(), "socket-"));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const socket = () => join(dataDir, "console.sock");
const ask = async (request: unknown) => JSON.parse((await askConsole(dataDir, request))?.text ?? "null");

describe("a command to the running console", () => {
  it("answers a command", async () => {
    serveCommands(dataDir, async (request) => ({ received: request }));
    expect(await ask({ add: "ana@aurora.example" })).toEqual({
      ok: true,
      answer: { received: { add: "ana@aurora.example" } },
    });
  });

  it("uses a socket file that only its owner may use", async () => {
    serveCommands(dataDir, async () => null);
    await vi.waitFor(() => expect((statSync(socket()).mode & 0o777).toString(8)).toBe("600"));
  });

  it("fails a command without showing the reason, which is logged", async () => {
    serveCommands(dataDir, () => Promise.reject(new Error("the password is hunter2")));
    expect(await ask({})).toEqual({ ok: false });
    expect(log.warn).toHaveBeenCalledOnce();
  });

  it("says why a command was refused", async () => {
    serveCommands(dataDir, () => Promise.reject(new CommandRefusal("ana@aurora.example is unknown here")));
    expect(await ask({})).toEqual({ ok: false, refusal: "ana@aurora.example is unknown here" });
  });

  it("fails for invalid JSON while the console lives on", async () => {
    serveCommands(dataDir, async () => "here");
    const connection = createConnection(socket());
    connection.end("{not json");
    expect(JSON.parse(await text(connection))).toEqual({ ok: false });
    expect(await ask({})).toEqual({ ok: true, answer: "here" });
  });

  it("finds no console when none runs or a dead one left its file", async () => {
    expect(await askConsole(dataDir, {})).toBeNull();
    writeFileSync(socket(), "");
    expect(await askConsole(dataDir, {})).toBeNull();
  });

  it("reaches a new console that replaced a dead one", async () => {
    writeFileSync(socket(), "");
    serveCommands(dataDir, async () => "new");
    expect(await ask({})).toEqual({ ok: true, answer: "new" });
  });
});
