import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openTestServer } from "./postgres-for-tests.mjs";
import { Refusal, refuse, root, run, say, seconds } from "../program.mjs";
import { setUp } from "../setup/setup.mjs";
import { addUp, closingLine, countAttacks, countCheck, countPlaywright, countVitest } from "./tally.mjs";

const tool = (path, ...args) => [`node_modules/${path}`, ...args];

/** What one engine could do otherwise than another; the browser stories run on the embedded one, too. */
const ENGINE = [
  "service/ledger",
  "service/idempotency",
  "service/model",
  "service/store",
  "lib/audit",
  "lib/bank",
  "lib/live",
  "lib/store",
];

/** `npm run check` leaves what takes long to `npm test`, and is content with little of the model test. */
const QUICKLY = { TEST_QUICKLY: "true", MODEL_RUNS: "5" };
const THOROUGHLY = { TEST_QUICKLY: "", MODEL_RUNS: "30" };

const vitest = (report, ...args) =>
  tool("vitest/vitest.mjs", ...args, "--reporter=dot", "--reporter=json", `--outputFile.json=${report}`);

const versionOf = (name) => JSON.parse(readFileSync(join(root, "node_modules", name, "package.json"), "utf8")).version;

function checksFor(reports, { quick }) {
  const embedded = `PGlite ${versionOf("@electric-sql/pglite")}`;
  const unitReport = join(reports, "unit.json");
  const engineReport = join(reports, "engine.json");
  const attacksReport = join(reports, "attacks.json");
  const playwrightReport = join(reports, "playwright.json");
  return {
    format: { name: "format", args: tool("oxfmt/bin/oxfmt", "--check") },
    lint: {
      name: "lint",
      args: tool("oxlint/bin/oxlint", "--type-aware", "--deny-warnings", "--report-unused-disable-directives"),
    },
    types: { name: "types", args: tool("typescript/bin/tsc", "--noEmit") },
    knip: { name: "dead code", args: tool("knip/bin/knip.js") },
    unit: {
      name: "unit and service",
      args: vitest(unitReport, "run"),
      env: { TEST_DATABASE_URL: "", ...(quick ? QUICKLY : THOROUGHLY) },
      database: embedded,
      report: unitReport,
      count: countVitest,
    },
    engine: {
      name: "embedded database",
      args: vitest(engineReport, "run", ...ENGINE),
      env: { TEST_DATABASE_URL: "", ...THOROUGHLY },
      database: embedded,
      report: engineReport,
      count: countVitest,
    },
    attacks: {
      name: "attacks",
      args: ["--import", "tsx", "security/attacks/main.mjs", "--report", attacksReport],
      report: attacksReport,
      count: countAttacks,
    },
    build: { name: "build", args: ["scripts/setup/build.mjs"] },
    e2e: {
      name: "browser",
      args: tool("@playwright/test/cli.js", "test"),
      env: { PLAYWRIGHT_JSON_OUTPUT_FILE: playwrightReport },
      report: playwrightReport,
      count: countPlaywright,
    },
  };
}

const readReport = (path) => (existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined);

/** Runs one check to its end and prints its line, with all it said when it failed. Answers `{passed, failed}`. */
async function runCheck({ name, args, env, database, report, count }) {
  const startedAtMs = performance.now();
  if (process.stdout.isTTY) process.stdout.write(`… ${name}\r`);
  const { ok, output } = await run(process.execPath, args, { quiet: true, env });
  const counted = report ? count(readReport(report), ok) : countCheck(ok);
  const took = seconds(performance.now() - startedAtMs).padStart(8);
  const wavered = counted.wavered && `${counted.wavered} at a second try alone`;
  const details = [report && closingLine(counted), wavered, database].filter(Boolean).map((detail) => `   ${detail}`);
  say(`${counted.failed === 0 ? "✓" : "✗"} ${name.padEnd(18)}${took}${details.join("")}`);
  if (counted.failed > 0 || wavered) say(output.trimEnd());
  return counted;
}

async function inTurn(checks) {
  const counts = [];
  for (const check of checks) counts.push(await runCheck(check));
  return addUp(counts);
}

/** The tests keep two cores busy by themselves for longer than the other checks take one after the other. */
const quickChecks = ({ format, lint, types, knip, unit }) =>
  Promise.all([inTurn([unit]), inTurn([format, lint, types, knip])]).then(addUp);

/** Without a server every test runs on the embedded database, and `missing` says so; a named one must be there. */
async function runTests({ unit, engine }) {
  const server = await openTestServer().catch((error) => ({ error }));
  const wasNamed = Boolean(process.env.TEST_DATABASE_URL);
  if (server.error instanceof Refusal && !wasNamed) {
    return { ...(await inTurn([unit])), missing: server.error.message };
  }
  if (server.error) {
    say(`✗ ${unit.name.padEnd(18)}${server.error.message}`);
    return countCheck(false);
  }
  const { url, version, stop } = server;
  const onServer = { ...unit, env: { ...unit.env, TEST_DATABASE_URL: url }, database: `PostgreSQL ${version}` };
  const counted = await inTurn([onServer]).finally(stop);
  return addUp([counted, await inTurn([engine])]);
}

async function allChecks({ format, lint, types, knip, unit, engine, build, attacks, e2e }) {
  const first = await inTurn([format, lint, types, knip]);
  const tests = await runTests({ unit, engine });
  if (tests.missing) say(`! on a server      did not run: ${tests.missing}`);
  const last = await inTurn([build, attacks, e2e]);
  return { ...addUp([first, tests, last]), missing: tests.missing };
}

/** Runs every check, goes on after a failed one, and sums them up in one closing line. `quick`: no build, no browser. */
export async function runChecks({ quick }) {
  const startedAtMs = performance.now();
  await setUp({ browser: !quick }).catch(refuse);
  const reports = mkdtempSync(join(tmpdir(), "retaguarda-reports-"));
  const total = await (quick ? quickChecks : allChecks)(checksFor(reports, { quick }));
  rmSync(reports, { recursive: true });
  say(`\nTook ${seconds(performance.now() - startedAtMs)}.`);
  if (total.missing) say(`NOT TESTED ON POSTGRESQL: ${total.missing}.`);
  say(closingLine(total));
  process.exit(total.failed === 0 ? 0 : 1);
}
