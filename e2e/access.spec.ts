import { randomBytes, randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "@playwright/test";
import { ACTIONS, HANDLERS, type Need, PAGES } from "@/lib/permission/access";
import { can } from "@/lib/permission/permission";
import { buildFolder } from "@/scripts/setup/build.mjs";
import { readBuild } from "@/scripts/checks/check-access";
import { type Caller, type Cast, castCallers, ELSEWHERE, HERE } from "./support/access-callers";
import { rightInputOf } from "@/test/registries/inputs";
import {
  askHandler,
  PATHS,
  ask,
  sendAction,
  sendForm,
  type AccessAnswer,
  outcomeOfAction,
  outcomeOfPage,
} from "./support/access-wire";
import { BRISK } from "./support/pace";
import { placeFor, startProduct } from "./support/product";
import { tenantsFile } from "./support/tenants-file";

const SECRET = randomBytes(32).toString("base64url");
const AT_ONCE = 8;

const dataDir = mkdtempSync(join(tmpdir(), "retaguarda-access-"));
const tenants = tenantsFile({ clientId: HERE, name: "Aurora" }, { clientId: ELSEWHERE, name: "Boreal" });
const { offers } = readBuild(buildFolder());

let place: Awaited<ReturnType<typeof placeFor>>;
let product: Awaited<ReturnType<typeof startProduct>>;
let cast: Cast;

/** A URL whose dynamic segments match no record. */
const nowhere = (address: string) => address.replaceAll(/\[[^\]]+\]/g, "nothing-at-all");

/** The path and id with which a browser would send the action. */
function offerOf(action: string): { id: string; path: string } {
  const { id, pages } = offers.get(action) ?? { id: "", pages: [] };
  return { id, path: nowhere(pages[0] ?? "/") };
}
const stepUp = (name: string, input: unknown) => sendAction(product.url, cast.manager, { ...offerOf(name), input });

test.beforeAll(async () => {
  test.setTimeout(600_000);
  const given = { AUTH_SECRET: SECRET, SERVICE_TENANTS_FILE: tenants, SERVICE_DEMO_DATA: "false" };
  place = await placeFor(given);
  cast = await castCallers({ databaseUrl: place.settings["DATABASE_URL"] ?? null, dataDir }, SECRET);
  product = await startProduct({ ...BRISK, ...place.settings, DATA_DIR: dataDir });
  const { disabled, demoted } = cast;
  const taken = { intentId: randomUUID(), staffId: demoted.staffId, roles: ["auditor"], expected: demoted.roles };
  expect(await stepUp("staff.disable", { staffId: disabled.staffId })).toContain('"ok":true');
  expect(await stepUp("staff.setRoles", taken)).toContain('"ok":true');
});

test.afterAll(async () => {
  await product.stop();
  await place.drop();
  for (const folder of [dataDir, dirname(tenants)]) rmSync(folder, { recursive: true, force: true });
});

type Cell = { at: string; expected: AccessAnswer; found: () => Promise<AccessAnswer> };

/** Asks for all cells, a few at once, and returns the wrong ones. */
async function wrongAmong(cells: readonly Cell[]): Promise<string[]> {
  const wrong: string[] = [];
  const queue = cells.values();
  const worker = async () => {
    for (const { at, expected, found } of queue) {
      const answer = await found();
      if (answer !== expected) wrong.push(`${at}: ${answer}, not ${expected}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return wrong.toSorted();
}

function report(what: string, cells: readonly Cell[]): void {
  test.info().annotations.push({ type: "cells", description: `${cells.length} ${what}` });
  process.stdout.write(`  access: ${cells.length} cells, ${what}\n`);
}

/** The expected answer for this standing and need, before any proof. */
function admission(needs: Need, { standing, roles }: Caller): AccessAnswer {
  if (needs === "anybody") return "let in";
  if (needs === "enrolling") return standing === "enrolling" ? "let in" : "unauthenticated";
  if (standing === "out" || standing === "enrolling") return "unauthenticated";
  if (needs === "signed-in") return "let in";
  return can(roles, needs) ? "let in" : "forbidden";
}

/** A write or a route's read is bound to its tenant, so a person working elsewhere is refused. */
const atScope = (needs: Need, caller: Caller): AccessAnswer =>
  caller.standing === "elsewhere" && needs !== "anybody" && needs !== "enrolling" && needs !== "signed-in"
    ? "conflict"
    : admission(needs, caller);

/** The expected answer to invalid input, which is refused before any proof. */
const admissionAlone = (name: string, caller: Caller) => atScope(ACTIONS[name]?.needs ?? "anybody", caller);

function expectedOfAction(name: string, caller: Caller): AccessAnswer {
  const { needs, needsStepUp } = ACTIONS[name] ?? { needs: "anybody", needsStepUp: false };
  const answer = atScope(needs, caller);
  return answer === "let in" && needsStepUp && !caller.isProven ? "step-up" : answer;
}

function expectedOfHandler(address: string, needs: Need | "signature" | undefined, caller: Caller): AccessAnswer {
  if (needs === undefined) return "no such method";
  // No session replaces the provider's signature.
  if (needs === "signature") return "unauthenticated";
  // The stream belongs to one tenant, whichever tenant the session is at.
  if (address === "/api/live" && caller.standing === "elsewhere") return "conflict";
  return atScope(needs, caller);
}

const isForm = (name: string) => name.startsWith("preferences.set");

/** Admitted callers send invalid input, so that nothing happens; those asked for a proof send valid input. */
async function act(name: string, caller: Caller, path = offerOf(name).path): Promise<AccessAnswer> {
  const { id } = offerOf(name);
  if (isForm(name)) return sendForm(product.url, caller, { id, path });
  const isAsked = ACTIONS[name]?.needsStepUp === true && !caller.isProven;
  const input = isAsked ? rightInputOf(name) : { nothing: "of the kind" };
  return outcomeOfAction(await sendAction(product.url, caller, { id, path, input }));
}

const isAsOld = ({ isProven, standing }: Caller) => !isProven && standing === "here";
const isOutNow = ({ name, standing }: Caller) => standing === "out" && name !== "nobody";

/** Picks one of several equivalent callers in turn. */
const byTurns = (alike: readonly Caller[], turn: number) => alike.slice(turn % alike.length).slice(0, 1);

/**
 * Every caller, but only one, in turn, of those with an ended session, and, where no proof is needed, of those with an
 * old one.
 */
function callersAt(turn: number, needs: Need, needsStepUp = false): Caller[] {
  const old = cast.callers.filter(isAsOld);
  const admitted = old.filter((caller) => admission(needs, caller) === "let in");
  return [
    ...cast.callers.filter((caller) => !isAsOld(caller) && !isOutNow(caller)),
    ...byTurns(cast.callers.filter(isOutNow), turn),
    ...(needsStepUp ? old : byTurns(admitted, turn)),
  ];
}

test("every server action answers everybody as the access table says", { tag: "@long" }, async () => {
  test.slow();
  const cells = Object.entries(ACTIONS).flatMap(([name, { needs, needsStepUp }], turn) =>
    callersAt(turn, needs, needsStepUp).map((caller): Cell => ({
      at: `${name} by ${caller.name}`,
      expected: expectedOfAction(name, caller),
      found: () => act(name, caller),
    })),
  );
  expect(await wrongAmong(cells)).toEqual([]);
  report("of actions and callers", cells);
});

const isOneOfMany = ({ name, standing }: Caller) => name !== "nobody" && (standing === "out" || standing === "here");

/** One caller for each way an action can be answered. */
function oneOfEach(): Caller[] {
  const support = cast.callers.filter(({ roles }) => roles.length === 1 && roles[0] === "support");
  const admins = cast.callers.filter(({ roles, isProven }) => !isProven && roles[0] === "admin");
  return [...cast.callers.filter((caller) => !isOneOfMany(caller)), ...support, ...admins, cast.manager];
}

/** Either it had no effect, or it worked as on its own page. Each caller uses one of the URLs. */
test("an action sent to another address opens nothing more to anybody", { tag: "@long" }, async () => {
  test.setTimeout(600_000);
  const silent = new Map<string, Set<boolean>>();
  const cells = PATHS.flatMap((path, at) =>
    Object.keys(ACTIONS).flatMap((name, nth) => {
      const isSilent = new Set<boolean>();
      silent.set(`${name} at ${path}`, isSilent);
      const senders = oneOfEach().filter((_, turn) => (at + nth + turn) % PATHS.length === 0);
      return senders.map((caller): Cell => {
        const expected = expectedOfAction(name, caller);
        const found = async () => {
          const answer = await act(name, caller, path);
          isSilent.add(answer === "nothing");
          return answer === "nothing" ? expected : answer;
        };
        return { at: `${name} by ${caller.name} at ${path}`, expected, found };
      });
    }),
  );
  expect(await wrongAmong(cells)).toEqual([]);
  expect([...silent].filter(([, answers]) => answers.size > 1).map(([at]) => at)).toEqual([]);
  report("of actions, callers and addresses", cells);
});

test("every page shows everybody what the access table says", { tag: "@long" }, async () => {
  test.slow();
  const cells = Object.entries(PAGES).flatMap(([address, needs], turn) =>
    // No page asks how old a proof is.
    callersAt(turn, needs)
      .filter((caller) => !isAsOld(caller))
      .map((caller): Cell => ({
        at: `${address} to ${caller.name}`,
        expected: admission(needs, caller),
        found: async () => outcomeOfPage(await ask(product.url, caller, { path: nowhere(address) })),
      })),
  );
  expect(await wrongAmong(cells)).toEqual([]);
  report("of pages and callers", cells);
});

/** A missing method is absent for everybody, and no session replaces a signature. */
function askersOf(needs: Need | "signature" | undefined, turn: number): Caller[] {
  const anyone = cast.callers.filter(({ name }) => name === "nobody");
  return needs === undefined || needs === "signature" ? [...anyone, cast.manager] : callersAt(turn, needs);
}

test("every handler answers everybody, by every method, as the access table says", { tag: "@long" }, async () => {
  test.slow();
  const cells = Object.entries(HANDLERS)
    .filter(([address]) => !address.startsWith("/api/auth/"))
    .flatMap(([address, needs], turn) =>
      (["GET", "POST"] as const).flatMap((method) =>
        askersOf(needs[method], turn).map((caller): Cell => ({
          at: `${method} ${address} by ${caller.name}`,
          expected: expectedOfHandler(address, needs[method], caller),
          found: () => askHandler(product.url, caller, { method, path: nowhere(address) }),
        })),
      ),
    );
  expect(await wrongAmong(cells)).toEqual([]);
  report("of handlers, methods and callers", cells);
});

test("extra input fields change nothing", { tag: "@long" }, async () => {
  const smuggled = '"role":"admin","roles":["admin"],"tenant":"boreal","approvedBy":"x","constructor":{"prototype":{}}';
  const polluted = `{"nothing":"of the kind",${smuggled},"__proto__":{"isProven":true,"roles":["admin"],"tenant":"boreal"}}`;
  const cells = Object.keys(ACTIONS)
    .filter((name) => !isForm(name))
    .flatMap((name) =>
      oneOfEach().map((caller): Cell => {
        const expected = admissionAlone(name, caller);
        const found = async () =>
          outcomeOfAction(await sendAction(product.url, caller, { ...offerOf(name), input: JSON.parse(polluted) }));
        return { at: `${name} by ${caller.name}`, expected, found };
      }),
    );
  expect(await wrongAmong(cells)).toEqual([]);
  report("of actions and callers, with fields too many", cells);
});
