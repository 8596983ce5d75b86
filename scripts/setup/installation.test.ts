import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { findInPath } from "@/scripts/program.mjs";
import { copySources } from "./installation.mjs";

const folder = mkdtempSync(join(tmpdir(), "installation-"));
let sources: string[] = [];
beforeAll(() => {
  copySources(folder);
  sources = readdirSync(folder, { recursive: true, encoding: "utf8" });
});
afterAll(() => rmSync(folder, { recursive: true }));

const IMPORTED = /(?:from|import\(?)\s*"((?:@\/|\.\.?\/)[^"]+)"/g;
const ENDINGS = ["", ".ts", ".tsx", ".mjs", ".json", "/index.ts"];

test("leaves out tests, the embedded service and the screens' sources", () => {
  const needless = /\.test\.tsx?$|testing\.ts$|^(service|app|components|e2e|bench)(\/|$)/;
  expect(sources.length).toBeGreaterThan(300);
  expect(sources.filter((path) => needless.test(path))).toEqual([]);
});

test("includes everything that its files import", () => {
  const missing = sources
    .filter((path) => /\.(ts|tsx|mjs)$/.test(path) && path !== "next.config.ts")
    .flatMap((path) => {
      const text = readFileSync(join(folder, path), "utf8").replaceAll(/import type [^;]+;/g, "");
      return [...text.matchAll(IMPORTED)].map(([, name = ""]) =>
        name.startsWith("@/") ? join(folder, name.slice(2)) : resolve(folder, dirname(path), name),
      );
    })
    .filter((module) => !ENDINGS.some((ending) => existsSync(`${module}${ending}`)));
  expect(missing).toEqual([]);
});

test("includes the public files: the mark, the web manifest, robots.txt", () => {
  const carried = readdirSync(join(folder, "public"));
  expect(carried).toEqual(expect.arrayContaining(["favicon.ico", "icon.svg", "manifest.webmanifest", "robots.txt"]));
  const Manifest = z.object({ icons: z.array(z.object({ src: z.string() })) });
  const { icons } = Manifest.parse(JSON.parse(readFileSync(join(folder, "public/manifest.webmanifest"), "utf8")));
  expect(icons.map(({ src }) => src.slice(1)).filter((name) => !carried.includes(name))).toEqual([]);
});

test("starts the console by its package.json, which names only existing scripts", () => {
  const Manifest = z.object({ scripts: z.record(z.string(), z.string()) });
  const { scripts } = Manifest.parse(JSON.parse(readFileSync(join(folder, "package.json"), "utf8")));
  expect(scripts["start"]).toBe("exec node server/main.mjs");
  const programs = Object.values(scripts).map((line) => line.split(" ").at(-1) ?? "");
  expect(programs.filter((program) => !existsSync(join(folder, program)))).toEqual([]);
});

const systemdAnalyze = findInPath("systemd-analyze");

test.skipIf(systemdAnalyze === undefined)("has a unit that systemd accepts without a warning", () => {
  const { stderr } = spawnSync(systemdAnalyze ?? "", ["verify", resolve("ops/systemd/retaguarda.service")]);
  const said = String(stderr).split("\n");
  expect(said.filter((line) => line.includes("retaguarda.service"))).toEqual([]);
});

test("has an image that starts it as npm start does, on the Node that it is tried on", () => {
  const image = readFileSync("Dockerfile", "utf8");
  expect(image).toContain('CMD ["node", "server/main.mjs"]');
  const tried = /-p node@(\d+)/.exec(readFileSync("package.json", "utf8"))?.[1];
  const stages = Array.from(image.matchAll(/^FROM node:(\d+)-/gm), ([, version]) => version);
  expect(stages).toEqual([tried, tried]);
});

test("has a compose file that mounts only what is there", () => {
  const mounted = Array.from(readFileSync("compose.yaml", "utf8").matchAll(/- (\.\/[^:]+):/g), ([, path = ""]) => path);
  expect(mounted.length).toBeGreaterThan(2);
  expect(mounted.filter((path) => !existsSync(path))).toEqual([]);
});

test("reads its .env before the console listens, and in its commands", () => {
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
  writeFileSync(
    join(folder, ".env"),
    "DATABASE_URL=mysql://db.example/retaguarda\nTLS_CERT_FILE=nowhere.pem\nTLS_KEY_FILE=nowhere.pem\n",
  );
  const { DATABASE_URL: _, ...env } = process.env;
  const said = (...args: string[]) => spawnSync(process.execPath, args, { cwd: folder, env, encoding: "utf8" }).stderr;
  expect(said("server/main.mjs")).toContain("console cannot start: TLS_CERT_FILE, TLS_KEY_FILE: ENOENT");
  expect(said("--conditions=react-server", "scripts/launch.mjs", "ops/commands/migrate.ts")).toMatch(/^DATABASE_URL: /);
});
