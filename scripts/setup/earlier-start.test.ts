import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { earlierStartEnds, forgetStart, noteStart } from "./earlier-start.mjs";

let dataDir = "";
const settings = (number = 3000, sharesStore = false) => ({ dataDir, sharesStore, console: { number } });
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "retaguarda-starts-"));
  vi.spyOn(console, "log").mockReturnValue();
});
afterEach(() => rmSync(dataDir, { recursive: true }));

const moduleAt = (name: string) => JSON.stringify(new URL(name, import.meta.url).href);

/** A start in its own process with a program that is slow to stop; resolves once both run. */
async function startAnother() {
  const program = join(dataDir, "program.mjs");
  writeFileSync(
    program,
    `import { writeFileSync } from "node:fs";
     const end = () => { writeFileSync(${JSON.stringify(join(dataDir, "ended"))}, ""); process.exit(0); };
     process.on("SIGTERM", () => setTimeout(end, 300));
     setInterval(() => {}, 1000);
     console.log(process.pid);`,
  );
  const starter = join(dataDir, "starter.mjs");
  writeFileSync(
    starter,
    `import { noteStart } from ${moduleAt("earlier-start.mjs")};
     import { saysLine, stopAll, supervise } from ${moduleAt("../product.mjs")};
     const settings = ${JSON.stringify(settings())};
     const programs = [supervise({ name: "service", args: [${JSON.stringify(program)}], env: {} })];
     process.on("SIGTERM", () => {
       noteStart(settings, programs, { isStopping: true });
       console.log("stopping");
       stopAll(programs).then(() => process.exit(0));
     });
     await saysLine(programs[0], /./);
     noteStart(settings, programs);
     console.log("started " + programs[0].child.pid);`,
  );
  const child = spawn(process.execPath, [starter]);
  const says = (word: string) =>
    new Promise<string>((resolve) => {
      child.stdout.on("data", (chunk) => String(chunk).includes(word) && resolve(String(chunk)));
    });
  const pid = Number((await says("started")).split("started ")[1]);
  return { child, says, pid };
}

const hasEnded = () => existsSync(join(dataDir, "ended"));

test("starts without a note, or with an unreadable one", async () => {
  await earlierStartEnds(settings());
  writeFileSync(join(dataDir, "start-3000.json"), "");
  await earlierStartEnds(settings());
  expect(console.log).not.toHaveBeenCalled();
});

test("waits for what a killed start left behind, and says so", async () => {
  const { child, pid } = await startAnother();
  child.kill("SIGKILL");
  await once(child, "exit");
  await earlierStartEnds(settings(3001));
  expect(hasEnded()).toBe(true);
  expect(console.log).toHaveBeenCalledExactlyOnceWith(
    `An earlier start (process ${pid}) is still stopping; waiting for it to end.`,
  );
});

test("waits for a start that was asked to stop", async () => {
  const { child, says } = await startAnother();
  const stopping = says("stopping");
  child.kill("SIGTERM");
  await stopping;
  await earlierStartEnds(settings());
  expect(hasEnded()).toBe(true);
});

test("refuses a second start and names the running process, except on a shared store", async () => {
  noteStart(settings(), []);
  await expect(earlierStartEnds(settings(3001))).rejects.toThrow(`running here already (process ${process.pid})`);
  await earlierStartEnds(settings(3001, true));
  forgetStart(settings());
  await earlierStartEnds(settings());
  expect(readdirSync(dataDir)).toEqual([]);
});
