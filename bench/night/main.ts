import { randomBytes, randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { sql } from "drizzle-orm";
import { z } from "zod";
import { bound, printBounds } from "@/bench/provider/bound";
import { entriesWatch } from "@/lib/accounts/watch";
import { areaWatches } from "@/lib/boot/area-watches";
import { stringifyJson } from "@/lib/contract/json";
import { db } from "@/lib/db/connection";
import type { Lane } from "@/lib/db/enums/provider";
import { depositWatch } from "@/lib/deposits/watch";
import { AppError } from "@/lib/errors/app-error";
import { grant } from "@/lib/permission/grant";
import { positionWatch } from "@/lib/position/watch";
import { createBudget } from "@/lib/provider/budget";
import { provider } from "@/lib/provider/client";
import { getWalletBalance } from "@/lib/provider/operations";
import { takeTurn, type Watch } from "@/lib/watch/watch";
import { networksOf } from "@/lib/wallets/inputs";
import { Refusal, say } from "@/scripts/program.mjs";
import { bankAt } from "@/test/support/provider";
import { startClock } from "./clock";
import { heldBy, type Listed, seedNight, walletsFor } from "./seed";

const TENANT = "bench";
const MIDNIGHT_MS = Date.parse("2026-03-11T03:00:00Z");
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const MORNING_MS = MIDNIGHT_MS + 7 * HOUR_MS;
const LATENCY_MS = 300;
const CALLS_PER_MINUTE = 180;
const PEOPLE = 8;

const staffIds = Array.from({ length: PEOPLE }, () => randomUUID());

const pause = (ms: number) => new Promise<void>((wake) => void setTimeout(wake, ms));

const clockOf = (ms: number) => new Date(ms - 3 * HOUR_MS).toISOString().slice(11, 16);

function answerTo(url: URL, wallets: readonly Listed[]): unknown {
  const { pathname, searchParams } = url;
  const { address } = /\/wallets\/(?<address>[^/]+)\/balance$/.exec(pathname)?.groups ?? {};
  if (address !== undefined) return { message: "", data: [heldBy(address)] };
  if (pathname.endsWith("/access-token"))
    return { access_token: "t", token_type: "Bearer", expires_in: 3_600, issued_at: "", scope: "" };
  if (pathname === "/v1/kyc/list") return { page: 1, limit: 20, result: [] };
  if (pathname.endsWith("/bank-accounts/history"))
    return { status: 200, data: { transactions: [], page: 1, totalPages: 1 } };
  if (pathname.endsWith("/bank-accounts/balance"))
    return { status: "", data: { accountId: searchParams.get("accountId"), balance: 1, blockedBalance: 0 } };
  if (pathname !== "/v1/crypto/wallets") return { message: "", data: [] };
  const offset = Number(searchParams.get("offset"));
  const page = wallets.slice(offset, offset + Number(searchParams.get("limit")));
  return { message: "", data: page.map((one) => ({ ...one, coin: "", status: "ACTIVE", createdAt: "" })) };
}

const KINDS = ["/bank-accounts/history", "/bank-accounts/balance", "/balance", "/history", "/wallets"] as const;

function wakeIn(ms: number, wake: () => void): () => void {
  const timer = setTimeout(wake, ms);
  return () => clearTimeout(timer);
}

function connect(wallets: readonly Listed[]) {
  const lanes: Record<Lane, number> = { money: 0, people: 0, watchers: 0 };
  const kinds = new Map<string, number>();
  const minutes = new Map<number, number>();
  const clock = { now: () => Date.now(), sleep: pause };
  const real = createBudget({
    store: db,
    origin: "https://bank.example",
    limit: CALLS_PER_MINUTE,
    now: clock.now,
    wakeIn,
    storeTime: () => new Date(),
  });
  const admit: typeof real.admit = async (lane, ...given) => {
    const admitted = await real.admit(lane, ...given);
    const minute = Math.floor(Date.now() / MINUTE_MS);
    lanes[lane] += 1;
    minutes.set(minute, (minutes.get(minute) ?? 0) + 1);
    return admitted;
  };
  const serve = async ({ url }: Request): Promise<Response> => {
    await pause(LATENCY_MS);
    const asked = new URL(url);
    const isToken = asked.pathname.endsWith("/access-token");
    const kind = KINDS.find((one) => asked.pathname.endsWith(one)) ?? "others";
    if (!isToken) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    const headers = { "content-type": "application/json" };
    return new Response(stringifyJson(answerTo(asked, wallets)), { status: isToken ? 201 : 200, headers });
  };
  const tenant = { clientId: TENANT, clientSecret: "none" };
  globalThis.retaguardaBanks = new Map([[TENANT, bankAt({ tenant, serve, clock, budget: { ...real, admit } })]]);
  return { lanes, kinds, minutes };
}

/** As the boot does, on this clock; it ends with it. */
async function keep(watch: Watch): Promise<never> {
  for (;;) await pause(await takeTurn(watch, TENANT));
}

type Asked = { waits: number[]; refused: number };

async function goOn(wallets: readonly Listed[], everyMs: number, asked: Asked): Promise<never> {
  for (let nth = 0; ; nth += 1) {
    await pause(everyMs);
    const staffId = staffIds[nth % PEOPLE] ?? "";
    const actor = grant({ staffId, tenant: TENANT, roles: ["finance"] }, "wallets:read");
    const { address, network = "EVM" } = wallets[(nth * 7) % wallets.length] ?? { address: "" };
    const [on = "ETHEREUM"] = networksOf(network);
    if (actor === null) throw new Error("no role grants wallets:read");
    const askedAtMs = Date.now();
    const reading = provider.get(actor, getWalletBalance, {
      params: { address },
      query: { network: on },
      isFresh: true,
    });
    reading.then(
      () => asked.waits.push(Date.now() - askedAtMs - LATENCY_MS),
      (error: unknown) => {
        if (!(error instanceof AppError)) throw error;
        asked.refused += 1;
      },
    );
  }
}

const Left = z.object({
  rows: z.tuple([z.object({ statements: z.int(), position: z.int(), balances: z.int(), histories: z.int() })]),
});

async function leftNow() {
  const start = sql`${new Date(MIDNIGHT_MS).toISOString()}::timestamptz`;
  const found = await (
    await db()
  ).execute(sql`select
    (select count(*)::int from account_reading where until < ${start}) as statements,
    (select coalesce(max(total - tried + failed), (select count(*)::int from account))::int from position_round where started_at >= ${start}) as position,
    (select count(*)::int from wallet_balance where as_of < ${start}) as balances,
    (select count(*)::int from wallet_balance b join chain_reading r using (tenant, wallet_id, network) where b.moved_at > r.as_of) as histories`);
  return Left.parse(found).rows[0];
}

const WHAT = {
  statements: "statements of accounts",
  position: "the day's position",
  balances: "balances of wallets",
  histories: "histories of what moved",
} as const;

async function night(count: number, perMinute: number): Promise<boolean> {
  const clock = await startClock(MIDNIGHT_MS - MINUTE_MS);
  const wallets = walletsFor(count);
  const places = await seedNight(await db(), TENANT, { count, wallets });
  const { lanes, kinds, minutes } = connect(wallets);
  const asked: Asked = { waits: [], refused: 0 };
  for (const watch of [...areaWatches, positionWatch, entriesWatch, depositWatch]) void keep(watch);
  void goOn(wallets, MINUTE_MS / perMinute, asked);
  const readAt = new Map<string, number>();
  let left = await leftNow();
  while (Date.now() < MORNING_MS && readAt.size < Object.keys(WHAT).length) {
    await clock.advance(MINUTE_MS);
    left = await leftNow();
    if (process.stdout.isTTY) process.stdout.write(`… ${clockOf(Date.now())}\r`);
    for (const [name, still] of Object.entries(left))
      if (still === 0 && Date.now() > MIDNIGHT_MS && !readAt.has(name)) readAt.set(name, Date.now());
  }
  const endedAtMs = Date.now();
  await clock.stop();
  say(`\n${count} accounts, ${count} wallets on ${places} networks, people ask ${perMinute} times a minute`);
  for (const [name, what] of Object.entries(WHAT))
    say(`  ${what}: ${readAt.has(name) ? `read by ${clockOf(readAt.get(name) ?? 0)}` : "not read"}`);
  const byLane = Object.entries(lanes).map(([lane, n]) => `${lane} ${n}`);
  say(
    `  calls until ${clockOf(endedAtMs)}: ${byLane.join(", ")}; most in a minute of the clock ${Math.max(...minutes.values())}`,
  );
  say(`  of these ${[...kinds].map(([kind, n]) => `${kind} ${n}`).join(", ")}`);
  return printBounds([
    bound("s that a person's call waited at the longest", Math.max(...asked.waits) / 1_000, { atMost: 2 }),
    bound("calls of people that were refused", asked.refused, { exactly: 0 }),
    ...Object.entries(WHAT).map(([name, what]) =>
      bound(`${what} not read by 07:00`, Object.entries(left).find(([one]) => one === name)?.[1] ?? 0, { exactly: 0 }),
    ),
  ]);
}

const key = () => randomBytes(32).toString("base64");

export async function measure(args: string[]): Promise<boolean> {
  const options = { count: { type: "string", default: "2000" }, people: { type: "string", default: "5,40" } } as const;
  const { values } = parseArgs({ args, options });
  const count = Number(values.count);
  const people = values.people.split(",").map(Number);
  if (![count, ...people].every((one) => Number.isInteger(one) && one > 0))
    throw new Refusal("npm run bench says what it takes.");
  const dataDir = mkdtempSync(join(tmpdir(), "retaguarda-night-"));
  const keys = { DATA_KEY: key(), AUTH_SECRET: key(), AUDIT_KEY: key(), DATA_DIR: dataDir };
  const bank = {
    BANK_CLIENT_ID: TENANT,
    BANK_CLIENT_SECRET: "none",
    BANK_ENVIRONMENT: "SANDBOX",
    BANK_BASE_URL: "http://localhost:9",
  };
  Object.assign(process.env, keys, bank);
  const met: boolean[] = [];
  for (const perMinute of people) met.push(await night(count, perMinute));
  rmSync(dataDir, { recursive: true, force: true });
  return met.every(Boolean);
}
