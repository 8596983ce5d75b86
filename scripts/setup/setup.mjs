import { requireNode } from "./node-version.mjs";

requireNode();

export async function setUp({ build = false, browser = false, quiet = false }) {
  const { installDependencies } = await import("./dependencies.mjs");
  await installDependencies();
  const [{ build: buildConsole, buildIsStale }, { say }] = await Promise.all([
    import("./build.mjs"),
    import("../program.mjs"),
  ]);
  if (build && buildIsStale()) {
    say("Building the console. This takes one to two minutes.");
    await buildConsole({ quiet });
  }
  if (browser) await (await import("./browser.mjs")).setUpBrowser();
}
