import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { refuse, run, say, seconds } from "./program.mjs";
import { setUp } from "./setup.mjs";
import { addUp, closingLine, countCheck, countPlaywright, countVitest } from "./tally.mjs";

const tool = (path, ...args) => [`node_modules/${path}`, ...args];

function checksFor(reports) {
  const vitestReport = join(reports, "vitest.json");
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
      args: tool("vitest/vitest.mjs", "run", "--reporter=dot", "--reporter=json", `--outputFile.json=${vitestReport}`),
      report: vitestReport,
      count: countVitest,
    },
    build: { name: "build", args: ["scripts/build.mjs"] },
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
async function runCheck({ name, args, env, report, count }) {
  const startedAtMs = performance.now();
  if (process.stdout.isTTY) process.stdout.write(`… ${name}\r`);
  const { ok, output } = await run(process.execPath, args, { quiet: true, env });
  const counted = report ? count(readReport(report), ok) : countCheck(ok);
  const took = seconds(performance.now() - startedAtMs).padStart(8);
  say(`${counted.failed === 0 ? "✓" : "✗"} ${name.padEnd(18)}${took}${report ? `   ${closingLine(counted)}` : ""}`);
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

const allChecks = (checks) => inTurn(Object.values(checks));

/** Runs every check, goes on after a failed one, and sums them up in one closing line. `quick`: no build, no browser. */
export async function runChecks({ quick }) {
  const startedAtMs = performance.now();
  await setUp({ browser: !quick }).catch(refuse);
  const reports = mkdtempSync(join(tmpdir(), "retaguarda-reports-"));
  const total = await (quick ? quickChecks : allChecks)(checksFor(reports));
  rmSync(reports, { recursive: true });
  say(`\nTook ${seconds(performance.now() - startedAtMs)}.`);
  say(closingLine(total));
  process.exit(total.failed === 0 ? 0 : 1);
}
