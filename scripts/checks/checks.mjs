import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPostgres } from "../setup/postgres.mjs";
import { Refusal, refuse, root, run, say, seconds } from "../program.mjs";
import { setUp } from "../setup/setup.mjs";

export const countCheck = (ok) => (ok ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 });

/** A suite that ended badly without a failed test (no report, a file that does not load) counts as one failure. */
const admitFailure = (counted, ok) => (ok || counted.failed > 0 ? counted : { ...counted, failed: 1 });

/** @param report what vitest's json reporter wrote, or undefined when there is none */
export function countVitest(report, ok) {
  if (!report) return countCheck(false);
  const unloaded = report.testResults.filter((file) => file.status === "failed" && file.assertionResults.length === 0);
  const counted = { passed: report.numPassedTests, failed: report.numFailedTests + unloaded.length };
  return admitFailure(counted, ok);
}

/** @param report what playwright's json reporter wrote, or undefined when there is none */
export function countPlaywright(report, ok) {
  if (!report) return countCheck(false);
  const { expected, unexpected } = report.stats;
  return admitFailure({ passed: expected, failed: unexpected }, ok);
}

/** @param report what the attacks wrote down: one that got through is a failure */
export function countAttacks(report, ok) {
  if (!report) return countCheck(false);
  const failed = report.results.filter(({ isRepelled }) => !isRepelled).length;
  return admitFailure({ passed: report.results.length - failed, failed }, ok);
}

export function addUp(counts) {
  const sum = (name) => counts.reduce((total, count) => total + count[name], 0);
  return { passed: sum("passed"), failed: sum("failed") };
}

export const closingLine = ({ passed, failed }) => `${passed} passed, ${failed} failed`;

const tool = (path, ...args) => [`node_modules/${path}`, ...args];

/** What one engine could do otherwise than another, by how a test's path begins; the stories of crashes run on it, too. */
const ENGINE = [
  "service/ledger",
  "service/idempotency",
  "service/model",
  "service/store",
  "lib/audit/chain",
  "lib/audit/check.",
  "lib/audit/commands",
  "lib/audit/queries",
  "lib/audit/record",
  "lib/audit/verify",
  "lib/bank/budget.test",
  "lib/bank/budget-refused",
  "lib/bank/call-log",
  "lib/bank/intent",
  "lib/live/publish",
  "lib/store/lease.",
  "lib/store/store.test",
  "lib/store/sealed-columns",
  "lib/store/tenant-keys",
];

/** `npm run check` leaves what takes long to `npm test`, and is content with little of the model test. */
const QUICKLY = { TEST_QUICKLY: "true", MODEL_RUNS: "5" };
const THOROUGHLY = { TEST_QUICKLY: "", MODEL_RUNS: "12" };

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
      env: { TEST_DATABASE_URL: "", ...THOROUGHLY, MODEL_RUNS: "4" },
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
    weight: { name: "weight of pages", args: ["scripts/checks/size.mjs", "--built"] },
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
  const details = [report && closingLine(counted), database].filter(Boolean).map((detail) => `   ${detail}`);
  say(`${counted.failed === 0 ? "✓" : "✗"} ${name.padEnd(18)}${took}${details.join("")}`);
  if (counted.failed > 0) say(output.trimEnd());
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

const onServer = (check, { url, version }, setting) => ({
  ...check,
  env: { ...check.env, [setting]: url },
  database: `PostgreSQL ${version}`,
});

async function serverVersion(url) {
  const { default: pg } = await import("pg");
  const client = new pg.Client({ connectionString: url });
  const { rows } = await client
    .connect()
    .then(() => client.query("SHOW server_version"))
    .catch((error) => {
      throw new Refusal(`TEST_DATABASE_URL cannot be used (${error.message})`);
    });
  await client.end();
  return rows[0].server_version.split(" ")[0];
}

/**
 * The server that the tests run on: that of TEST_DATABASE_URL, which stays, else a throw-away one of its own.
 * Answers `{url, version, stop}`. Throws a `Refusal` when the one that was named cannot be used, or none can be had.
 */
export async function openTestServer() {
  const given = process.env.TEST_DATABASE_URL;
  if (given) return { url: given, version: await serverVersion(given), stop: async () => undefined };
  if (process.platform === "win32")
    throw new Refusal("throw-away PostgreSQL servers are not for Windows; name one in TEST_DATABASE_URL");
  return startPostgres();
}

/** Without a server all runs on the embedded database, and `missing` says so; a named one must be there. */
async function allChecks({ format, lint, types, knip, unit, engine, build, weight, attacks, e2e }) {
  const first = await inTurn([format]);
  const server = await openTestServer().catch((error) => ({ error }));
  const { error } = server;
  if (error && (process.env.TEST_DATABASE_URL || !(error instanceof Refusal))) {
    say(`✗ ${unit.name.padEnd(18)}${error.message}`);
    return addUp([first, countCheck(false)]);
  }
  if (error) {
    say(`! on a server      did not run: ${error.message}`);
    const rest = await inTurn([lint, types, knip, unit, build, weight, attacks, e2e]);
    return { ...addUp([first, rest]), missing: error.message };
  }
  const stories = onServer(e2e, server, "E2E_DATABASE_URL");
  const served = async () => {
    const own = await inTurn([onServer(unit, server, "TEST_DATABASE_URL"), build, weight]);
    const beside = await Promise.all([
      inTurn([lint, types, knip, engine]),
      inTurn([onServer(attacks, server, "E2E_DATABASE_URL")]),
    ]);
    return addUp([own, ...beside, await inTurn([stories])]);
  };
  return addUp([first, await served().finally(server.stop)]);
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
