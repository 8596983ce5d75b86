import { runCommand } from "@/lib/db/command";
import { checkKeys, rotateKeys } from "@/lib/privacy/commands";
import { isAsked, numbers, runCommandLine } from "./command-line";

const USAGE = `usage: npm run keys:rotate [-- --check]
Seals all personal data with the newest data key; it may be stopped and started again at any time.
--check says what each key seals, and changes nothing.`;

const USES = { seals: "seals now", opens: "opens what it sealed", unknown: "NOT KNOWN HERE" } as const;

type State = Awaited<ReturnType<typeof readState>>;
const readState = () => runCommand(checkKeys, {});

function show({ keys }: State): void {
  for (const { key, values, use } of keys) {
    console.log(`${key.padEnd(8)}  ${numbers.format(values).padStart(12)} values  ${USES[use]}`);
  }
}

function showLeaving({ keys, othersWantedUntil, hasKeyFiles }: State): void {
  const idle = keys.filter(({ use, values }) => use === "opens" && values === 0).map(({ key }) => key);
  if (idle.length === 0) return;
  const place = hasKeyFiles ? "its file may leave DATA_DIR/keys" : "it may leave DATA_KEYS_OTHER";
  const from = othersWantedUntil === null ? "now" : `after ${othersWantedUntil}`;
  console.log(`${idle.join(", ")} seals nothing any more: ${place} ${from}.`);
  console.log("Backups made before this still need it: keep a copy as long as them.");
}

async function rotate(): Promise<void> {
  let sealed = 0;
  for (let isFirst = true; ; isFirst = false) {
    const { key, resealed, unreadable, isDone } = await runCommand(rotateKeys, { isFirst });
    sealed += resealed;
    console.log(`${numbers.format(sealed)} values sealed with ${key}`);
    if (!isDone) continue;
    if (unreadable > 0) {
      console.error(`${numbers.format(unreadable)} values open with no key known here, and stay as they are`);
      process.exitCode = 1;
    }
    return;
  }
}

await runCommandLine(USAGE, async () => {
  if (!isAsked("check")) await rotate();
  const state = await readState();
  show(state);
  showLeaving(state);
});
