import { runCommand } from "@/lib/db/command";
import { applyRetention, checkRetention } from "@/lib/privacy/commands";
import { isAsked, numbers, runCommandLine } from "./command-line";

const USAGE = `usage: npm run retention [-- --dry-run]
Takes away what is kept no longer, in batches, and puts that on record; it may be stopped and started again at any time.
--dry-run says what would go, and changes nothing.`;

const line = (name: string, count: number, what: string) =>
  console.log(`  ${name.padEnd(14)} ${numbers.format(count).padStart(12)} rows ${what}`);

async function showDue(): Promise<void> {
  for (const { tenant, classes } of await runCommand(checkRetention, {})) {
    console.log(`${tenant}:`);
    for (const { name, days, isShort, due } of classes) {
      const stored = days === null ? "kept for good" : `due, kept for ${numbers.format(days)} days`;
      line(name, due, isShort ? `${stored}; goes by itself each day` : stored);
    }
  }
}

async function run(): Promise<void> {
  for (const { tenant, classes } of await runCommand(applyRetention, {})) {
    console.log(`${tenant}:`);
    for (const { name, rows } of classes) line(name, rows, "taken away");
  }
}

await runCommandLine(USAGE, () => (isAsked("dry-run") ? showDue() : run()));
