import { readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { chainsIn } from "./chains.mjs";
import { figuresOf, listFiles, readHouse, readLimits, readTests, worsened } from "./house.mjs";

const root = resolve(import.meta.dirname, "../..");
const TEXT = /\.(tsx?|mjs|json|md|css|sql|ya?ml|svg)$|(^|\/)(run|LICENSE|\.env\.example|\.npmrc|\.gitignore)$/;

/** This file contains the patterns that it forbids. */
const files = listFiles().filter((path) => TEXT.test(path) && path !== "scripts/checks/house.test.ts");
const read = (path: string) => readFileSync(join(root, path), "utf8");

/** Each matching line, as `file:line`. */
function linesThatFit(paths: string[], pattern: RegExp): string[] {
  return paths.flatMap((path) =>
    read(path)
      .split("\n")
      .flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1}`] : [])),
  );
}

const isMarked = (path: string, mark: string) => read(path).startsWith(`"use ${mark}"`);

const isSource = (path: string) => /\.(tsx?|mjs)$/.test(path);

const running = files.filter(
  (path) => /^(app|components|server|lib|service)\/.*\.(tsx?|mjs)$/.test(path) && !/\.test\.tsx?$/.test(path),
);

describe("the repository", () => {
  test("refers to nothing outside itself", () => {
    const elsewhere = /\.\.\/shared\b|service-interface\.md|(?<![\w.])\/(root|home|Users|work)\/[\w.]/;
    expect(linesThatFit(files, elsewhere)).toEqual([]);
  });

  test("names no package registry: the reader's own is used", () => {
    const registry = /"resolved"|https?:\/\/[\w.-]*(registry|artifactory|nexus|verdaccio)[\w.-]*/;
    expect(linesThatFit(files, registry)).toEqual([]);
  });

  test("has no drawer for things without a name", () => {
    const drawers = /^(utils?|helpers?|misc|common|types)(\.tsx?|\.mjs)?$/;
    expect(files.filter((path) => path.split("/").some((part) => drawers.test(part)))).toEqual([]);
  });

  test("leaves no bare TODO", () => {
    const bare = /\b(TODO|FIXME|XXX)\b(?!\()/;
    expect(linesThatFit(files.filter(isSource), bare)).toEqual([]);
  });

  test("gives a reason beside each lint exception", () => {
    const unreasoned = /(ox|es)lint-disable(?!.* -- \S)/;
    expect(linesThatFit(files.filter(isSource), unreasoned)).toEqual([]);
  });

  test("keeps primitives free of the domain's words", () => {
    const domain =
      /\b(kyc|cpf|cnpj|brl|pix|ted|tenants?|wallets?|accounts?|balances?|statements?|onboardings?|webhooks?|approvals?|compliance|antifraud|banks?|staff)\b/i;
    const primitives = files.filter((path) => path.startsWith("components/ui/"));
    expect(primitives).not.toEqual([]);
    expect(linesThatFit(primitives, domain)).toEqual([]);
    expect(primitives.filter((path) => domain.test(basename(path).replaceAll("-", " ")))).toEqual([]);
  });

  test("has one dialog, which the keys send, and one cover", () => {
    const dialogs = files.filter((path) => isSource(path) && /from "@radix-ui\/react-dialog"/.test(read(path)));
    expect(dialogs.toSorted()).toEqual(["components/ui/cover.tsx", "components/ui/dialog.tsx"]);
  });

  test("asks for every date in the one field", () => {
    const screens = files.filter((path) => /^(app|components)\/.*\.tsx$/.test(path));
    expect(linesThatFit(screens, /type="(date|datetime-local|month|week|time)"/)).toEqual([]);
  });

  test("marks every screen of the console with the desk it was read for", () => {
    const screens = files.filter((path) => /^app\/\(console\)\/.*page\.tsx$/.test(path));
    expect(screens).not.toEqual([]);
    expect(screens.filter((path) => !/^export default screen\("[^"]+", \w+\);$/m.test(read(path)))).toEqual([]);
  });

  test("reads its own routes for the requesting tab's desk", () => {
    const asking = files.filter((path) => isSource(path) && /^(app\/(?!api\/)|components\/)/.test(path));
    const free = new Set([
      "components/session/use-read.ts",
      "components/session/use-scope-watch.ts",
      "components/session/scope-guard.tsx",
      "components/layout/deferred.tsx",
    ]);
    expect(
      linesThatFit(
        asking.filter((path) => !free.has(path)),
        /(?<![\w.])fetch\(/,
      ),
    ).toEqual([]);
  });

  test("writes no inline style and no raw markup, which the page's policy would block", () => {
    const screens = files.filter((path) => /^(app|components)\/.*\.tsx$/.test(path));
    expect(linesThatFit(screens, /\bstyle=|dangerouslySetInnerHTML|\.(inner|outer)HTML\b|insertAdjacentHTML/)).toEqual(
      [],
    );
  });

  test("starts no program of the machine from the console or the embedded service", () => {
    expect(linesThatFit(running, /["'](node:)?child_process["']/)).toEqual([]);
  });

  test("loads zod in no module that a browser loads", () => {
    const house = readHouse();
    const ways = new Map([...house.keys()].filter((path) => isMarked(path, "client")).map((path) => [path, path]));
    for (const [path, way] of ways) {
      for (const next of house.get(path)?.values ?? []) {
        if (!ways.has(next) && !isMarked(next, "server")) ways.set(next, `${way} > ${next}`);
      }
    }
    expect(ways.size).toBeGreaterThan(300);
    const heavy = [...ways].filter(([path]) => /^(import|export) (?!type\b)[^;]*from "zod"/m.test(read(path)));
    expect(heavy.map(([, way]) => way)).toEqual([]);
  });

  test("passes typed input to queries only as parameters, never as SQL text", () => {
    expect(linesThatFit(running, /\bsql\.raw\((?!$|["`]|isDescending \? ")/)).toEqual([]);
    const woven = running.flatMap((path) =>
      [...read(path).matchAll(/\bsql\.raw\(`[^`]*?\$\{([^}]*)\}/g)].map(([, what = ""]) => what),
    );
    expect(woven.toSorted()).toEqual(["MAX_COUNTED + 1", "NEVER", "SLOW_MS", "column.name", "standing"]);
  });
});

describe("the shape of the sources", () => {
  test("keeps every figure within its limit: npm run house tells more", () => {
    expect(worsened(figuresOf(readHouse(), readTests()), readLimits())).toEqual([]);
  });

  test("gets worse with one pair more than is kept", () => {
    const limits = { pairs: 2, cycles: 0 };
    expect(worsened(limits, limits)).toEqual([]);
    expect(worsened({ ...limits, pairs: 3 }, limits)).toEqual(["pairs: 3, at most 2 (scripts/checks/house.json)"]);
  });

  test("counts knots, pairs, cycles, stray tests, titles and comments", () => {
    const source = { lines: 10, commentLines: 1, types: new Set(), lazy: new Set(), values: new Set() };
    const three = new Map([
      ["lib/kyc/queue.ts", { ...source, values: new Set(["lib/kyc/row.ts"]), types: new Set(["lib/query.ts"]) }],
      ["lib/kyc/row.ts", { ...source, values: new Set(["lib/kyc/queue.ts"]), lazy: new Set(["lib/audit/record.ts"]) }],
      ["lib/audit/record.ts", { ...source, values: new Set(["lib/kyc/row.ts"]) }],
      ["lib/query.ts", { ...source, commentLines: 0, values: new Set(["lib/kyc/queue.ts"]) }],
    ]);
    const tests = [{ path: "lib/kyc/away.test.ts", isStray: true, titles: ["waits", "is decided"] }];
    expect(figuresOf(three, tests)).toMatchObject({
      "largest knot of lib, by values": 2,
      "largest knot of lib, by any import": 3,
      "mutual pairs of lib, by values": 1,
      "mutual pairs of lib, by any import": 2,
      "cycles of files": 1,
      "circles of two files, by any import": 3,
      "unit tests without their source": 1,
      "characters of the longest test title": 10,
      "comments, in % of lines": 7.5,
    });
  });

  test("assigns a test of any kind to a source of its name", () => {
    const tests = readTests();
    const isStray = (path: string) => tests.find((one) => one.path === path)?.isStray;
    expect(isStray("scripts/checks/house.test.ts")).toBe(false);
    expect(isStray("lib/kyc/sweep.long.test.ts")).toBe(false);
    expect(isStray("scripts/checks/words.test.ts")).toBe(true);
  });

  test("has chains whose steps still link to one another", () => {
    expect(chainsIn(readHouse()).flatMap(({ broken }) => broken)).toEqual([]);
  });

  test("opens a chain's steps and all between them", () => {
    const source = { lines: 1, commentLines: 0, types: new Set(), lazy: new Set() };
    const four = new Map([
      ["lib/kyc/queue.ts", { ...source, values: new Set(["lib/text/page.ts", "lib/kyc/row.ts"]) }],
      ["lib/text/page.ts", { ...source, values: new Set(["lib/kyc/mask.ts"]) }],
      ["lib/kyc/row.ts", { ...source, values: new Set(["lib/kyc/far.ts"]) }],
      ["lib/kyc/mask.ts", { ...source, values: new Set() }],
      ["lib/kyc/far.ts", { ...source, values: new Set() }],
    ]);
    const ways = { "a row": ["lib/kyc/queue.ts lib/kyc/mask.ts lib/kyc/gone.ts", "lib/kyc/queue.ts lib/kyc/far.ts"] };
    expect(chainsIn(four, ways)).toEqual([
      {
        name: "a row",
        files: [
          "lib/kyc/queue.ts",
          "lib/kyc/mask.ts",
          "lib/kyc/gone.ts",
          "lib/text/page.ts",
          "lib/kyc/far.ts",
          "lib/kyc/row.ts",
        ],
        broken: ["lib/kyc/mask.ts → lib/kyc/gone.ts"],
      },
    ]);
  });
});
