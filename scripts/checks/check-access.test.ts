import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ACTIONS, type ActionAccess, HANDLERS, PAGES } from "@/lib/permission/access";
import { root } from "@/scripts/program.mjs";
import { differences, readBuild } from "./check-access";

/** What each factory of lib/action requires; null: its permission argument. */
const FACTORIES: Record<string, { needs: ActionAccess["needs"] | null; needsStepUp: boolean }> = {
  action: { needs: null, needsStepUp: false },
  stepUpAction: { needs: null, needsStepUp: true },
  ownAction: { needs: "signed-in", needsStepUp: false },
  ownStepUpAction: { needs: "signed-in", needsStepUp: true },
  enrolmentAction: { needs: "enrolling", needsStepUp: false },
  publicAction: { needs: "anybody", needsStepUp: false },
};

/** Every action in the sources with its code's requirement; a plain function has none. */
function actionsOfSources() {
  const areas = readdirSync(join(root, "lib")).filter((area) => existsSync(join(root, "lib", area, "actions.ts")));
  return areas.flatMap((area) => {
    const source = readFileSync(join(root, "lib", area, "actions.ts"), "utf8");
    const made = source.matchAll(/^export (?:const (\w+) = (\w+)\(\s*"([^"]+)"|async function (\w+))/gm);
    return [...made].map(([line, name = "", factory = "", first = "", plainName]) => {
      if (plainName !== undefined) return [`${area}.${plainName}`, { needs: "anybody", needsStepUp: false }] as const;
      const asked = FACTORIES[factory];
      if (asked === undefined) throw new Error(`${line}: ${factory} is no factory that this test knows`);
      return [`${area}.${name}`, { ...asked, needs: asked.needs ?? first }] as const;
    });
  });
}

const addressOf = (path: string) =>
  dirname(path)
    .split("/")
    .filter((segment) => segment !== "." && !/^\(.*\)$/.test(segment))
    .join("/");

function filesOfApp(fits: RegExp): string[] {
  const paths = readdirSync(join(root, "app"), { recursive: true, encoding: "utf8" });
  return paths.filter((path) => fits.test(path)).map((path) => `/${addressOf(path)}`);
}

describe("the access table", () => {
  it("states for each write what its code requires", () => {
    expect(Object.fromEntries(actionsOfSources())).toEqual(ACTIONS);
  });

  it("lists each page in the access table", () => {
    expect(filesOfApp(/(^|\/)page\.tsx$/).toSorted()).toEqual(Object.keys(PAGES).toSorted());
  });

  it("lists each handler and its methods in the access table", () => {
    expect(filesOfApp(/(^|\/)route\.ts$/).toSorted()).toEqual(Object.keys(HANDLERS).toSorted());
    for (const [address, methods] of Object.entries(HANDLERS)) {
      const source = readFileSync(join(root, "app", address, "route.ts"), "utf8");
      for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"]) {
        const isThere = new RegExp(`export .*\\b${method}\\b`).test(source);
        expect(isThere, `${method} ${address}`).toBe(method in methods);
      }
    }
  });
});

describe("a build", () => {
  let built = "";
  beforeEach(() => {
    built = mkdtempSync(join(tmpdir(), "build-"));
    mkdirSync(join(built, "server"));
  });
  afterEach(() => rmSync(built, { recursive: true }));

  const write = (file: string, content: unknown) => writeFileSync(join(built, "server", file), JSON.stringify(content));

  it("yields a build's actions, pages and handlers", () => {
    const workers = { "app/(console)/kyc/[id]/page": {}, "app/_not-found/page": {} };
    const action = { workers, filename: "lib/kyc/actions.ts", exportedName: "decideCase" };
    const stray = { workers: {}, filename: "app/stray.ts", exportedName: "payAll" };
    write("server-reference-manifest.json", { node: { aa: action, bb: stray }, edge: {}, encryptionKey: "k" });
    write("app-paths-manifest.json", {
      "/(console)/page": "app/(console)/page.js",
      "/(console)/kyc/[id]/page": "x.js",
      "/api/kyc/route": "y.js",
      "/_not-found/page": "z.js",
    });
    expect(readBuild(built)).toEqual({
      actions: ["kyc.decideCase", "app/stray.ts.payAll"],
      pages: ["/", "/kyc/[id]"],
      handlers: ["/api/kyc"],
      offers: new Map([
        ["kyc.decideCase", { id: "aa", pages: ["/kyc/[id]"] }],
        ["app/stray.ts.payAll", { id: "bb", pages: [] }],
      ]),
    });
  });

  it("names the line and list to add for an unlisted route", () => {
    const whole = { actions: Object.keys(ACTIONS), pages: Object.keys(PAGES), handlers: Object.keys(HANDLERS) };
    expect(differences(whole)).toEqual([]);
    expect(differences({ ...whole, actions: [...whole.actions, "kyc.payAll"] })).toEqual([
      'kyc.payAll is not in lib/permission/access.ts: say who may, by a line  "kyc.payAll": plain("<who may>"),  in ACTIONS.',
    ]);
    expect(differences({ ...whole, pages: whole.pages.slice(1) })).toEqual([
      "/ stands in PAGES of lib/permission/access.ts and is not in the build: remove its line, or use it.",
    ]);
  });
});
