import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { Client } from "pg";
import { expect, test, vi } from "vitest";
import { startPostgres, findSystemPostgres } from "./postgres.mjs";

const none = (await findSystemPostgres()) === undefined;

const directoryOf = (url: string) => new URL(url).searchParams.get("host") ?? "";

test.skipIf(none)("serves by a throw-away server until stopped, and leaves nothing behind", async () => {
  const { url, version, stop } = await startPostgres({ settings: { work_mem: "5MB" } });
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(
    "SELECT current_setting('server_version') AS version, current_setting('work_mem') AS mem",
  );
  expect(rows).toEqual([{ version: expect.stringContaining(version), mem: "5MB" }]);
  await client.end();
  await stop();
  expect(existsSync(directoryOf(url))).toBe(false);
});

test.skipIf(none)("ends a throw-away server with its starter, even after kill -9", async () => {
  const program = `import("${new URL("postgres.mjs", import.meta.url).href}")
    .then(({ startPostgres }) => startPostgres())
    .then(({ url }) => { console.log(url); setInterval(() => {}, 1000); });`;
  const starter = spawn(process.execPath, ["--eval", program], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await once(starter.stdout, "data");
  const directory = directoryOf(String(line).trim());
  expect(existsSync(directory)).toBe(true);
  starter.kill("SIGKILL");
  await vi.waitFor(() => expect(existsSync(directory)).toBe(false), { timeout: 20_000 });
});
