import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { saysLine, stopAll, supervise } from "./product.mjs";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "retaguarda-programs-"));
  vi.spyOn(console, "log").mockReturnValue();
  vi.spyOn(console, "error").mockReturnValue();
});
afterEach(() => rmSync(folder, { recursive: true }));

function program(name: string, code: string) {
  const path = join(folder, `${name}.mjs`);
  writeFileSync(path, code);
  return path;
}

const start = (code: string, isQuiet = false) =>
  supervise({ name: "service", args: [program("child", code)], env: {}, isQuiet });

const LISTENS = `
  process.on("SIGTERM", () => process.exit(0));
  setInterval(() => {}, 1000);
  console.log("ready");
`;

test("asks a program to stop after its starter was killed", async () => {
  const calls = createServer();
  calls.listen(0, "127.0.0.1");
  await once(calls, "listening");
  const address = calls.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const child = program(
    "child",
    `import { connect } from "node:net";
     const line = connect(${port}, "127.0.0.1", () => line.write("here, "));
     process.on("SIGTERM", () => line.end("asked to stop", () => process.exit(0)));`,
  );
  const supervisor = new URL("product.mjs", import.meta.url).href;
  const starter = program(
    "starter",
    `import { supervise } from "${supervisor}"; supervise({ name: "child", args: ["${child}"], env: {} });`,
  );

  const running = spawn(process.execPath, [starter]);
  const line: Socket = await new Promise((resolve) => {
    calls.once("connection", resolve);
  });
  const said: string[] = [];
  line.on("data", (chunk) => said.push(String(chunk)));
  await once(line, "data");
  running.kill("SIGKILL");
  await once(line, "close");
  expect(said.join("")).toBe("here, asked to stop");
  calls.close();
});

test("labels a program's output with its name, and stops it on request", async () => {
  const service = start(LISTENS);
  await saysLine(service, /ready/);
  expect(console.log).toHaveBeenCalledWith("service │ ready");
  await stopAll([service]);
  expect(await service.ended).toBe("code 0");
});

test("records the complaint of a program that says why it gives up", async () => {
  const service = start(`console.error("SERVICE_PORT: must be a port number"); process.exit(1);`);
  expect(await service.ended).toBe("code 1");
  expect(service.complained).toBe(true);
  expect(console.error).toHaveBeenCalledWith("service │ SERVICE_PORT: must be a port number");
});

test("does not count a log record as a complaint", async () => {
  const service = start(`console.error('{"level":30,"msg":"up"}'); process.exit(3);`);
  expect(await service.ended).toBe("code 3");
  expect(service.complained).toBe(false);
});

test("prints only errors and plain lines of a program run for one person", async () => {
  const lines = [
    '{"level":30,"msg":"audit head"}',
    '{"level":40,"msg":"refused"}',
    '{"level":50,"msg":"broken"}',
    "ready",
  ];
  const service = start(lines.map((line) => `console.error(${JSON.stringify(line)});`).join(""), true);
  await service.ended;
  expect(vi.mocked(console.error).mock.calls).toEqual([['service │ {"level":50,"msg":"broken"}'], ["service │ ready"]]);
});
