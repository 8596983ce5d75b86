import { requireNode } from "./node-version.mjs";

requireNode();

export async function setUp({ build = false, browser = false, quiet = false }) {
  const { installDependencies } = await import("./dependencies.mjs");
  await installDependencies();
  if (build) await buildWhenStale(quiet);
  if (!browser) return;
  const { setUpBrowser } = await import("./browser.mjs");
  await setUpBrowser();
}

async function buildWhenStale(quiet) {
  const [{ build, buildIsStale }, { say }] = await Promise.all([import("./build.mjs"), import("../program.mjs")]);
  if (!buildIsStale()) return;
  say("Building the console. This takes one to two minutes.");
  await build({ quiet });
}

void import("../program.mjs").then(({ runProgram, say }) =>
  runProgram(import.meta.url, async () => {
    await setUp({ build: true, browser: true });
    say("Everything is in place. Start with: npm start");
  }),
);
