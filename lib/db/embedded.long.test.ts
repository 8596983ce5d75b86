import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { dumpFile } from "@/test/support/service/store-dump";
import { unpackDump } from "@/test/support/service/store";
import { openEmbedded } from "./embedded";

let directory = "";
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "embedded-"));
  unpackDump(dumpFile(), join(directory, "pg"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

test("refuses a directory in use and gives the pid of its user", async () => {
  const first = await openEmbedded(directory);
  await expect(openEmbedded(directory)).rejects.toThrow(`in use by process ${process.pid}`);
  await first.close();
});

test("names another living process that holds the directory", async () => {
  const script = `import { openEmbedded } from "@/lib/db/embedded";
    await openEmbedded(${JSON.stringify(directory)}); console.log("open"); setInterval(() => {}, 1000);`;
  const holder = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "--eval", script]);
  await new Promise((resolve) => holder.stdout.once("data", resolve));
  await expect(openEmbedded(directory)).rejects.toThrow(`in use by process ${holder.pid}`);
  const died = new Promise((resolve) => holder.once("exit", resolve));
  holder.kill("SIGKILL");
  await died;
  const successor = await openEmbedded(directory);
  await successor.close();
});

test.skipIf(process.platform !== "linux")("takes over the lock of an ended process, even a zombie", async () => {
  const script = `import { openEmbedded } from "@/lib/db/embedded";
      await openEmbedded(${JSON.stringify(directory)}); console.log("open"); process.kill(process.pid, "SIGKILL");`;
  const run = `"${process.execPath}" --import tsx --input-type=module --eval '${script}' & exec sleep 60`;
  const careless = spawn("sh", ["-c", run]);
  await new Promise((resolve) => careless.stdout.once("data", resolve));
  await expect
    .poll(() => openEmbedded(directory).then(async (opened) => opened.close()), { timeout: 20_000 })
    .toBeUndefined();
  careless.kill("SIGKILL");
});

const canUnshare = spawnSync("unshare", ["--pid", "--fork", "true"]).status === 0;
test.skipIf(!canUnshare)("refuses a directory in use by another container", async () => {
  const script = `import { openEmbedded } from "@/lib/db/embedded";
    await openEmbedded(${JSON.stringify(directory)}); console.log("open"); setInterval(() => {}, 1000);`;
  const contained = ["--pid", "--fork", "--kill-child", process.execPath, "--import", "tsx", "--input-type=module"];
  const holder = spawn("unshare", [...contained, "--eval", script]);
  await new Promise((resolve) => holder.stdout.once("data", resolve));
  await expect(openEmbedded(directory)).rejects.toThrow("in use by process 1;");
  const died = new Promise((resolve) => holder.once("exit", resolve));
  holder.kill("SIGKILL");
  await died;
  await expect
    .poll(() => openEmbedded(directory).then(async (opened) => opened.close()), { timeout: 20_000 })
    .toBeUndefined();
});

test("takes over a dead process's lock with its data intact", async () => {
  const first = await openEmbedded(directory);
  await first.client.exec("CREATE TABLE kept (n int); INSERT INTO kept VALUES (7)");
  await first.close();
  writeFileSync(join(directory, "lock"), "999999999 another-boot 1");
  const second = await openEmbedded(directory);
  expect((await second.client.query("SELECT n FROM kept")).rows).toEqual([{ n: 7 }]);
  await second.close();
});

test("reports in one line a directory that cannot be created", async () => {
  writeFileSync(join(directory, "file"), "");
  await expect(openEmbedded(join(directory, "file", "below"))).rejects.toThrow(/cannot be written/);
});
