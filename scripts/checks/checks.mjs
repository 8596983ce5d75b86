import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { startPostgres } from "../setup/postgres.mjs";
import { Refusal, refuse, root, run, say, seconds } from "../program.mjs";
import { setUp } from "../setup/setup.mjs";

export const countCheck = (ok) => (ok ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 });

/** A suite that ended badly without a failed test (no report, a file that does not load) counts as one failure. */
const admitFailure = (counted, ok) => (ok || counted.failed > 0 ? counted : { ...counted, failed: 1 });

/** @param report the output of vitest's json reporter, or undefined without one */
export function countVitest(report, ok) {
  if (!report) return countCheck(false);
  const unloaded = report.testResults.filter((file) => file.status === "failed" && file.assertionResults.length === 0);
  const counted = { passed: report.numPassedTests, failed: report.numFailedTests + unloaded.length };
  return admitFailure(counted, ok);
}

const MAX_FLAKY = 2;

/** Stories that passed only on retry, each with its file. */
const flakyIn = ({ suites = [], specs = [] }) => [
  ...specs
    .filter(({ tests }) => tests.some(({ status }) => status === "flaky"))
    .map(({ file, title }) => `${file}: ${title}`),
  ...suites.flatMap(flakyIn),
];

/** More than two flaky stories are failures. @param report from playwright's json reporter, or undefined without one */
export function countPlaywright(report, ok) {
  if (!report) return countCheck(false);
  const { expected, unexpected } = report.stats;
  const flaky = flakyIn(report);
  const failed = unexpected + (flaky.length > MAX_FLAKY ? flaky.length : 0);
  const passed = expected + unexpected + flaky.length - failed;
  return { ...admitFailure({ passed, failed }, ok), flaky };
}

/** @param report the report of the attacks or the storm: a successful one is a failure */
export function countAttacks(report, ok) {
  if (!report) return countCheck(false);
  const failed = report.results.filter(({ isRepelled }) => !isRepelled).length;
  return admitFailure({ passed: report.results.length - failed, failed }, ok);
}

export function addUp(counts) {
  const sum = (name) => counts.reduce((total, count) => total + count[name], 0);
  return { passed: sum("passed"), failed: sum("failed"), flaky: counts.flatMap(({ flaky = [] }) => flaky) };
}

export const closingLine = ({ passed, failed }) => `${passed} passed, ${failed} failed`;

const tool = (path, ...args) => [`node_modules/${path}`, ...args];

/** Imported by tests that need databases. */
const SET_UP = "@/test/support/";

const git = async (...args) => (await run("git", args, { quiet: true })).output.split("\n").filter(Boolean);

/** The tests of `npm run check`: all that need no database, and all in folders with uncommitted changes. */
async function quickTests() {
  const tests = (await git("ls-files", "-co", "--exclude-standard")).filter((path) => /\.test\.tsx?$/.test(path));
  const changed = await git("-c", "core.quotePath=false", "status", "--porcelain", "--untracked-files=all");
  const folders = new Set(changed.map((line) => dirname(line.slice(3).split(" -> ").at(-1))));
  return tests.filter(
    (path) =>
      existsSync(join(root, path)) &&
      !path.includes(".long.") &&
      (folders.has(dirname(path)) || !readFileSync(join(root, path), "utf8").includes(SET_UP)),
  );
}

const vitest = (report, tests = []) =>
  tool("vitest/vitest.mjs", "run", ...tests, "--reporter=dot", "--reporter=json", `--outputFile.json=${report}`);

const STACK = /\n {4}at /;

/** Only the failed tests and attacks with their output; the whole output when none is known. */
export function failuresOf(report, output) {
  const through = (report?.results ?? [])
    .filter(({ isRepelled }) => !isRepelled)
    .map(({ tried, came }) => `${tried}: ${came}`);
  const failed = (report?.testResults ?? []).flatMap(({ name, status, message, assertionResults }) =>
    status === "failed" && assertionResults.length === 0
      ? [`${name}\n${message}`]
      : assertionResults
          .filter((test) => test.status === "failed")
          .map(
            ({ fullName, failureMessages }) => `${name}: ${fullName}\n${failureMessages.join("\n").split(STACK)[0]}`,
          ),
  );
  const known = [...failed, ...through];
  return known.length > 0 ? known.join("\n\n") : output.trimEnd();
}

const versionOf = (name) => JSON.parse(readFileSync(join(root, "node_modules", name, "package.json"), "utf8")).version;

function checksFor(reports, { isLong, server, tests }) {
  const embedded = `PGlite ${versionOf("@electric-sql/pglite")}`;
  const long = { TEST_LONG: isLong ? "true" : "" };
  const onServer = { env: { ...long, TEST_DATABASE_URL: server.url }, database: server.name };
  const onEmbedded = { env: { ...long, TEST_DATABASE_URL: "" }, database: embedded };
  const [unitReport, engineReport, attacksReport, stormReport, storiesReport] = [
    "unit",
    "engine",
    "attacks",
    "storm",
    "stories",
  ].map((name) => join(reports, `${name}.json`));
  return {
    format: { name: "format", args: tool("oxfmt/bin/oxfmt", "--check") },
    /** Reports the compiler's errors, too, from the one program that its rules need. */
    lint: {
      name: "lint and types",
      args: tool(
        "oxlint/bin/oxlint",
        "--type-aware",
        "--type-check",
        "--deny-warnings",
        "--report-unused-disable-directives",
      ),
    },
    knip: { name: "dead code", args: tool("knip/bin/knip.js") },
    unit: {
      name: "unit and service",
      args: vitest(unitReport, tests),
      ...(server.url ? onServer : onEmbedded),
      report: unitReport,
      count: countVitest,
    },
    engine: {
      name: "embedded database",
      args: vitest(engineReport),
      ...onEmbedded,
      report: engineReport,
      count: countVitest,
    },
    attacks: {
      name: "attacks",
      args: ["--import", "tsx", "security/attacks/main.mjs", "--report", attacksReport],
      database: embedded,
      report: attacksReport,
      count: countAttacks,
    },
    storm: {
      name: "ten times at once",
      args: ["--import", "tsx", "security/storm/main.ts", "--report", stormReport, ...(isLong ? ["--long"] : [])],
      ...onServer,
      report: stormReport,
      count: countAttacks,
    },
    build: { name: "build", args: ["scripts/setup/build.mjs"] },
    weight: { name: "weight of pages", args: ["scripts/checks/size.mjs", "--built"] },
    stories: {
      name: "browser",
      args: tool("@playwright/test/cli.js", "test"),
      env: { ...long, E2E_DATABASE_URL: server.url, PLAYWRIGHT_JSON_OUTPUT_FILE: storiesReport },
      database: server.name ?? embedded,
      report: storiesReport,
      count: countPlaywright,
    },
  };
}

const readReport = (path) => (existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined);

/** Runs a check and prints its line, with its output after a failure. Returns `{passed, failed, flaky, tookMs}`. */
async function runCheck({ name, args, env, database, report, count }, folder) {
  const startedAtMs = performance.now();
  if (process.stdout.isTTY) process.stdout.write(`… ${name}\r`);
  const { ok, output } = await run(process.execPath, args, { quiet: true, env: { ...env, TMPDIR: folder } });
  const told = report && readReport(report);
  const counted = report ? count(told, ok) : countCheck(ok);
  const tookMs = performance.now() - startedAtMs;
  const details = [report && closingLine(counted), database].filter(Boolean).map((detail) => `   ${detail}`);
  say(`${counted.failed === 0 ? "✓" : "✗"} ${name.padEnd(18)}${seconds(tookMs).padStart(8)}${details.join("")}`);
  if (counted.failed > 0) say(failuresOf(told, output));
  return { ...counted, name, tookMs };
}

async function inTurn(checks, folder) {
  const counts = [];
  for (const check of checks) counts.push(await runCheck(check, folder));
  return counts;
}

/** The tests alone keep two cores busy for longer than all other checks take together. */
const withoutBuild = ({ format, lint, knip, unit }, folder) =>
  Promise.all([inTurn([unit], folder), inTurn([format, lint, knip], folder)]).then((counts) => counts.flat());

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
 * The server for the tests: the existing one of TEST_DATABASE_URL, else a throw-away one. Returns `{url, version,
 * stop}`. Throws a `Refusal` when the named one cannot be used, or none is available.
 */
export async function openTestServer() {
  const given = process.env.TEST_DATABASE_URL;
  if (given) return { url: given, version: await serverVersion(given), stop: async () => undefined };
  if (process.platform === "win32")
    throw new Refusal("throw-away PostgreSQL servers are not for Windows; name one in TEST_DATABASE_URL");
  return startPostgres();
}

/** Undefined, as an empty URL would be taken for a server. */
const NO_SERVER = { url: undefined, stop: async () => undefined };

/** Without a server all run on the embedded database, and `missing` says so; a named one must be there. */
async function serverOrNone() {
  try {
    const server = await openTestServer();
    return { ...server, name: `PostgreSQL ${server.version}` };
  } catch (error) {
    if (process.env.TEST_DATABASE_URL || !(error instanceof Refusal)) throw error;
    say(`! on a server      did not run: ${error.message}`);
    return { ...NO_SERVER, missing: error.message };
  }
}

/** A folder for all files of the checks, removed when this program ends in any way. */
function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), "retaguarda-checks-"));
  // A PostgreSQL server under another account must be able to traverse it.
  chmodSync(folder, 0o711);
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(1));
  return folder;
}

/**
 * Runs every check of a suite, continues after a failed one, and sums them up in one closing line.
 * @param {{ suite: "check" | "test" | "all" }} wish `check`: neither build nor browser, and only the quick unit tests; `all`: also long tests and every attack, and the unit tests on both databases
 */
export async function runChecks({ suite }) {
  const startedAtMs = performance.now();
  await setUp({ browser: suite !== "check" }).catch(refuse);
  const folder = temporaryFolder();
  const server = suite === "check" ? NO_SERVER : await serverOrNone().catch(refuse);
  const isLong = suite === "all";
  const tests = suite === "check" ? await quickTests() : undefined;
  const checks = checksFor(folder, { isLong, server, tests });
  const { build, stories, weight, attacks, storm, engine } = checks;

  const counts = await withoutBuild(checks, folder);
  // The embedded database's one connection hides every race.
  const atOnce = server.url ? [storm] : [];
  const rest = [build, ...(isLong ? [weight] : []), ...atOnce, stories, ...(isLong ? [attacks, engine] : [])];
  if (suite !== "check") counts.push(...(await inTurn(rest, folder)));
  await server.stop();

  const tookMs = performance.now() - startedAtMs;
  const { tookMs: buildMs } = counts.find(({ name }) => name === build.name) ?? {};
  const total = addUp(counts);
  say(`\nTook ${seconds(tookMs)}${buildMs ? `, ${(tookMs / buildMs).toFixed(1)} times its build` : ""}.`);
  if (server.missing) say(`NOT TESTED ON POSTGRESQL: ${server.missing}.`);
  for (const story of total.flaky) say(`FLAKY, passed the second time: ${story}`);
  say(closingLine(total));
  process.exit(total.failed === 0 ? 0 : 1);
}
