import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Refusal, say, seconds } from "../program.mjs";

const STOPS_WITHIN_MS = 10_000;
/** A start whose npm was killed notices it within a second. */
const NOTICES_WITHIN_MS = 1_200;
const POLL_INTERVAL_MS = 50;

const NOBODY = { pid: 0, began: "never" };

const recordOf = ({ dataDir, console }) => join(dataDir, `start-${console.number}.json`);

/** Detects a reused pid. "Z" is an ended process. */
function beginning(pid) {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return "";
  const fields = readFileSync(file, "utf8").split(") ").at(-1).split(" ");
  return fields[0] === "Z" ? "ended" : fields[19];
}

const identify = (pid) => ({ pid, began: beginning(pid) });

function isAlive({ pid, began }) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error.code !== "EPERM") return false;
  }
  return beginning(pid) === began;
}

export function noteStart(settings, programs, { isStopping = false } = {}) {
  const starter = identify(process.pid);
  const record = { starter, isStopping, programs: programs.map(({ child }) => identify(child.pid)) };
  const draft = `${recordOf(settings)}.${process.pid}`;
  writeFileSync(draft, JSON.stringify(record), { mode: 0o600 });
  renameSync(draft, recordOf(settings));
}

export const forgetStart = (settings) => rmSync(recordOf(settings), { force: true });

/** A crash of the machine may leave it empty. */
function readRecord(record) {
  try {
    return JSON.parse(readFileSync(record, "utf8"));
  } catch {
    return { starter: NOBODY, programs: [] };
  }
}

function startsLeft({ dataDir }) {
  const records = readdirSync(dataDir).filter((name) => /^start-\d+\.json$/.test(name));
  return records.flatMap((name) => {
    const record = join(dataDir, name);
    const { starter, programs, isStopping } = readRecord(record);
    const alive = [starter, ...programs].filter(isAlive);
    if (alive.length === 0) return [];
    return [{ record, pid: alive[0].pid, isStopping: isStopping || alive[0].pid !== starter.pid }];
  });
}

const refusals = {
  running: ({ pid }) =>
    `Retaguarda is running here already (process ${pid}). Stop it first, or set PORT, SERVICE_PORT and DATA_DIR to others.`,
  hanging: ({ pid }) =>
    `Process ${pid} of an earlier start has not ended within ${seconds(STOPS_WITHIN_MS)}; end it first.`,
};

/** Refuses one that is not about to end, unless it has another port and, by `sharesStore`, a database server. */
export async function earlierStartEnds(settings) {
  const since = performance.now();
  const collides = ({ record }) => !settings.sharesStore || record === recordOf(settings);
  for (let isSaid = false; ; await pause(POLL_INTERVAL_MS)) {
    const left = startsLeft(settings).filter(collides);
    if (left.length === 0) return;
    const waitedMs = performance.now() - since;
    const running = left.find(({ isStopping }) => !isStopping);
    if (running && waitedMs > NOTICES_WITHIN_MS) throw new Refusal(refusals.running(running));
    if (waitedMs > STOPS_WITHIN_MS) throw new Refusal(refusals.hanging(left[0]));
    if (!isSaid && !running) say(`An earlier start (process ${left[0].pid}) is still stopping; waiting for it to end.`);
    isSaid ||= !running;
  }
}
