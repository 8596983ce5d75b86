// `npm run model`: the model test of service/model at length, on one database or both, on all cores.
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { openTestServer } from "./checks.mjs";
import { Refusal, run, runProgram, say, seconds } from "../program.mjs";

const USAGE = "npm run model -- [--runs 2000] [--database both|pglite|postgres] [--seed NUMBER]";
const SAID = /model: (\d+) runs, (\d+) steps, 0 violations/;

function readWish() {
  const { values } = parseArgs({
    options: {
      runs: { type: "string", default: "2000" },
      database: { type: "string", default: "both" },
      seed: { type: "string", default: String(Date.now() % 1_000_000_000) },
    },
  });
  const [runs, seed] = [Number(values.runs), Number(values.seed)];
  const fits = Number.isInteger(runs) && runs > 0 && Number.isInteger(seed);
  if (!fits || !["both", "pglite", "postgres"].includes(values.database)) throw new Refusal(USAGE);
  return { runs, seed, database: values.database };
}

async function runShare({ runs, seed, url }) {
  const env = { TEST_DATABASE_URL: url, MODEL_RUNS: String(runs), MODEL_SEED: String(seed) };
  const args = ["node_modules/vitest/vitest.mjs", "run", "service/model", "--maxWorkers=1"];
  const { ok, output } = await run(process.execPath, args, { quiet: true, env });
  const [, done = "0", steps = "0"] = SAID.exec(output) ?? [];
  if (!ok) say(output.trimEnd());
  return { ok, runs: Number(done), steps: Number(steps) };
}

async function runModel({ runs, seed }, name, url) {
  const startedAtMs = performance.now();
  const processes = Math.min(availableParallelism(), runs);
  const shares = Array.from({ length: processes }, (_, index) => ({
    runs: Math.floor(runs / processes) + (index < runs % processes ? 1 : 0),
    seed: seed + index,
    url,
  }));
  const results = await Promise.all(shares.map(runShare));
  const sum = (field) => results.reduce((total, result) => total + result[field], 0);
  const violations = results.filter(({ ok }) => !ok).length;
  const took = seconds(performance.now() - startedAtMs);
  const from = `seeds ${seed} to ${seed + processes - 1}`;
  say(`${name}: ${sum("runs")} runs, ${sum("steps")} steps, ${violations} violations, ${from}, ${took}`);
  return violations === 0;
}

await runProgram(import.meta.url, async () => {
  const wish = readWish();
  const fine = [];
  if (wish.database !== "postgres") fine.push(await runModel(wish, "PGlite", ""));
  if (wish.database !== "pglite") {
    const { url, version, stop } = await openTestServer();
    fine.push(await runModel(wish, `PostgreSQL ${version}`, url));
    await stop();
  }
  process.exit(fine.includes(false) ? 1 : 0);
});
