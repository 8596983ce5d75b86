import { Refusal, run, runProgram, say } from "@/scripts/program.mjs";
import { figures } from "./figures";

const USAGE = [
  "npm run bench:bank -- [FIGURE [flags]]",
  ...figures.map(({ name, says }) => `  ${name.padEnd(16)}${says}`),
].join("\n");

async function takeOne(name: string, flags: readonly string[]): Promise<boolean> {
  const figure = figures.find((known) => known.name === name);
  if (figure === undefined) throw new Refusal(`There is no figure "${name}".\n${USAGE}`);
  const { take } = await figure.load();
  return take(flags);
}

/** Each in a process of its own: what one leaves in memory is not the next one's. */
async function takeAll(): Promise<boolean> {
  const missed: string[] = [];
  for (const { name, says } of figures) {
    say(`\n${name}: ${says}`);
    const { ok } = await run(process.execPath, ["--import", "tsx", "bench/bank/main.ts", name]);
    if (!ok) missed.push(name);
  }
  say(missed.length === 0 ? `\nAll ${figures.length} figures are met.` : `\nMISSED: ${missed.join(", ")}`);
  return missed.length === 0;
}

async function bench(): Promise<void> {
  const [name, ...flags] = process.argv.slice(2);
  if (name === "help") return say(USAGE);
  const isMet = await (name === undefined ? takeAll() : takeOne(name, flags));
  if (!isMet) process.exitCode = 1;
}

await runProgram(import.meta.url, bench);
