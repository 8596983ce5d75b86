import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";

const PROGRAM = `import { word } from "@/words/word";
const place: string = import.meta.url;
console.log(word, process.argv[2], place.endsWith("/programs/greet.ts"), process.argv[1]?.endsWith("/programs/greet.ts"));
if (process.argv[2] === "fail") throw new Error("on purpose");
`;

let folder = "";
const cache = () => join(folder, ".next/cache");

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "retaguarda-launch-"));
  for (const name of ["scripts", "programs", "words", "node_modules", ".next"]) mkdirSync(join(folder, name));
  for (const name of ["launch.mjs", "program.mjs"]) cpSync(join("scripts", name), join(folder, "scripts", name));
  for (const name of ["esbuild", "tsx"]) symlinkSync(resolve("node_modules", name), join(folder, "node_modules", name));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(join(folder, "package-lock.json"), "{}");
  writeFileSync(join(folder, "tsconfig.json"), '{ "compilerOptions": { "paths": { "@/*": ["./*"] } } }');
  writeFileSync(join(folder, "programs/greet.ts"), PROGRAM);
  says("hello");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const says = (word: string) => writeFileSync(join(folder, "words/word.ts"), `export const word: string = "${word}";\n`);

function launch(argument = "world") {
  const args = ["scripts/launch.mjs", "programs/greet.ts", argument];
  return spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
}

it("runs a program as if it had been started directly", () => {
  expect(launch().stdout).toBe("hello world true true\n");
});

it("caches its output, and rebuilds it when a source changed", () => {
  launch();
  const kept = join(cache(), "programs/programs-greet-ts.mjs");
  const { ino } = statSync(kept);
  launch();
  expect(statSync(kept).ino).toBe(ino);
  says("good morning");
  expect(launch().stdout).toBe("good morning world true true\n");
  expect(readdirSync(join(cache(), "programs"))).toHaveLength(1);
});

it("says where in the source a program failed", () => {
  const { status, stderr } = launch("fail");
  expect(status).toBe(1);
  expect(stderr).toContain("programs/greet.ts:4:");
});

it.skipIf(process.platform !== "linux")("runs a program from a read-only place", () => {
  symlinkSync("/sys", cache());
  expect(launch().stdout).toBe("hello world true true\n");
});

const inNamespace = (script: string) => spawnSync("unshare", ["-rm", "sh", "-c", script], { encoding: "utf8" });

it.skipIf(inNamespace("true").status !== 0)("runs a program on a read-only file system", () => {
  const program = `node scripts/launch.mjs programs/greet.ts world`;
  const script = `mount --bind ${folder} ${folder} && mount -o remount,ro,bind ${folder} && cd ${folder} && ${program}`;
  expect(inNamespace(script).stdout).toBe("hello world true true\n");
});
