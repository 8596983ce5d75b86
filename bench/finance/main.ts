import { randomBytes, randomUUID } from "node:crypto";
import { parseArgs } from "node:util";
import { bound, type Bound, median, printBounds } from "@/bench/provider/bound";
import { startDurablePostgres } from "@/bench/service/postgres";
import { store as openedStore } from "@/lib/db/connection";
import { lookupHash } from "@/lib/db/seal";
import { readMovements } from "@/lib/movements/list";
import { summarizeMovements } from "@/lib/movements/sums";
import { type Actor, grant } from "@/lib/permission/grant";
import type { Permission } from "@/lib/permission/permission";
import { readChange, readFlow, readingsOn } from "@/lib/position/changes";
import { readGroupLine } from "@/lib/position/group-line";
import { readPosition, readRates } from "@/lib/position/read-position";
import { civilDaysAgo } from "@/lib/text/time";
import { readSends } from "@/lib/wallets/sends-list";
import { Refusal, say } from "@/scripts/program.mjs";
import { seedFinance, SOUGHT, USDT } from "./seed";

const TENANT = "bench";
const ATMOST_MS = 100;
const WARM = 3;

const staffId = randomUUID();

const key = () => randomBytes(32).toString("base64");

function actorWith<P extends Permission>(permission: P): Actor<P> {
  const actor = grant({ staffId, tenant: TENANT, roles: ["finance"] }, permission);
  if (actor === null) throw new Error(`no role grants ${permission}`);
  return actor;
}

const slowest = (times: readonly number[]): number =>
  times.toSorted((one, other) => one - other)[Math.ceil(times.length * 0.95) - 1] ?? Number.NaN;

async function measured(rounds: number, what: string, read: () => Promise<unknown>): Promise<Bound> {
  const times: number[] = [];
  for (let round = -WARM; round < rounds; round += 1) {
    const begunAt = performance.now();
    await read();
    if (round >= 0) times.push(performance.now() - begunAt);
  }
  return bound(`${what}: p50 ${median(times).toFixed(0)} ms, p95`, Math.round(slowest(times)), { atMost: ATMOST_MS });
}

type Reads = Record<string, () => Promise<unknown>>;

async function movementReads(): Promise<Reads> {
  const reader = actorWith("accounts:read");
  const year = { from: civilDaysAgo(365) };
  const rows = (filter: Record<string, string>) => () => readMovements(reader, filter);
  const halfway = await readMovements(reader, { ...year, to: civilDaysAgo(180) });
  return {
    "movements, first rows of a month": rows({}),
    "movements, first rows of a year": rows(year),
    "movements, next rows halfway": rows({ ...year, before: halfway.older ?? "" }),
    "movements, rows above them": rows({ ...year, after: halfway.older ?? "" }),
    "movements by amount": rows({ ...year, min: "777,7", max: "778" }),
    "movements by a rare amount": rows({ ...year, min: "999.1" }),
    "movements by type": rows({ ...year, type: "FEE" }),
    "movements by direction and asset": rows({ ...year, direction: "in", asset: "BRL" }),
    "movements that are open": rows({ ...year, state: "open" }),
    "movements that were dropped": rows({ ...year, state: "dropped" }),
    "movements by text": rows({ ...year, search: SOUGHT.text }),
    "movements by hash": rows({ ...year, search: SOUGHT.hash }),
    "movements by name": rows({ ...year, counterpart: lookupHash(SOUGHT.name) }),
    "movements by address": rows({ ...year, counterpart: SOUGHT.address }),
    "movements of a wallet": rows({ ...year, wallet: "w7" }),
    "sums of a month": () => summarizeMovements(reader, {}),
    "sums of a year": () => summarizeMovements(reader, year),
    "sums of a type in a year": () => summarizeMovements(reader, { ...year, type: "PIX" }),
    "sums of amounts in a year": () => summarizeMovements(reader, { ...year, min: "500" }),
  };
}

async function sendReads(): Promise<Reads> {
  const reader = actorWith("wallets:read");
  const rows = (filter: Parameters<typeof readSends>[1]) => () => readSends(reader, filter);
  const first = await readSends(reader);
  return {
    "sends, first rows and sums": rows({}),
    "sends, next rows": rows({ before: first.older ?? "" }),
    "sends of a rare state": rows({ state: "UNKNOWN" }),
    "sends that wait": rows({ view: "waiting" }),
    "sends of a month": rows({ period: "30" }),
    "sends of an asset": rows({ asset: "USDT" }),
  };
}

async function positionReads(): Promise<Reads> {
  const reader = actorWith("wallets:read");
  const { db } = await openedStore();
  const day = civilDaysAgo(0);
  const ofSum = { network: "ETHEREUM", asset: "USDT", token: USDT, kind: "own", part: "available" } as const;
  const page = async () => {
    await readPosition(reader, {});
    await readGroupLine(db, TENANT, {
      group: "own",
      day,
      from: civilDaysAgo(89),
      rates: await readRates(db, TENANT, day),
    });
  };
  return {
    "position, its page": page,
    "position, the parts of a sum": () => readingsOn(db, TENANT, { key: ofSum, day }),
    "position, what changed a sum": () =>
      readChange(db, TENANT, { key: ofSum, day, against: civilDaysAgo(1), most: 50 }),
    "position, a month's flow of a sum": () => readFlow(db, TENANT, { key: ofSum, day, from: civilDaysAgo(29) }),
  };
}

export async function measure(args: string[]): Promise<boolean> {
  const options = {
    entries: { type: "string", default: "100000" },
    sources: { type: "string", default: "2000" },
    rounds: { type: "string", default: "20" },
    only: { type: "string", default: "" },
  } as const;
  const { values } = parseArgs({ args, options });
  const entries = Number(values.entries);
  const rounds = Number(values.rounds);
  if (!Number.isInteger(entries / 2) || !Number.isInteger(rounds))
    throw new Refusal("npm run bench says what it takes.");
  const postgres = await startDurablePostgres();
  Object.assign(process.env, {
    BANK_CLIENT_ID: TENANT,
    BANK_CLIENT_SECRET: "none",
    BANK_ENVIRONMENT: "SANDBOX",
    BANK_BASE_URL: "http://localhost:9",
    DATABASE_URL: await postgres.createDatabase("console"),
    DATA_KEY: key(),
    AUTH_SECRET: key(),
    AUDIT_KEY: key(),
  });
  const { db, close } = await openedStore();
  try {
    const begunAt = performance.now();
    await seedFinance(db, { tenant: TENANT, staffId, entries, sources: Number(values.sources) });
    say(`seeded in ${((performance.now() - begunAt) / 1_000).toFixed(0)} s`);
    const reads = { ...(await movementReads()), ...(await sendReads()), ...(await positionReads()) };
    const bounds: Bound[] = [];
    for (const [what, read] of Object.entries(reads).filter(([name]) => name.includes(values.only)))
      bounds.push(await measured(rounds, what, read));
    return printBounds(bounds);
  } finally {
    await close();
    await postgres.stop();
  }
}
