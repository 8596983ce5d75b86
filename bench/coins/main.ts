import { randomBytes, randomUUID } from "node:crypto";
import { parseArgs } from "node:util";
import { and, eq, sql } from "drizzle-orm";
import { z } from "zod";
import { bound, printBounds } from "@/bench/provider/bound";
import { ordersKilled } from "@/bench/provider/kills";
import { type Product, withProduct } from "@/bench/provider/product";
import { authorise } from "@/lib/approvals/decide";
import { CHAIN_FAMILIES, type ChainFamily, type Network } from "@/lib/contract/crypto";
import { store as openedStore } from "@/lib/db/connection";
import { approvalPolicy } from "@/lib/db/tables/approvals";
import { providerIntent } from "@/lib/db/tables/provider";
import { staffMembership } from "@/lib/db/tables/auth";
import { staff } from "@/lib/db/tables/staff";
import { chainReading, cryptoOrder } from "@/lib/db/tables/wallets";
import { AppError } from "@/lib/errors/app-error";
import { endOutcome, excludeCandidate, orderOutcome, OutcomeOrder } from "@/lib/outcomes/end-outcome";
import { type Actor, grant, watchActor } from "@/lib/permission/grant";
import { type Permission, ROLES } from "@/lib/permission/permission";
import { findIntent } from "@/lib/provider/intents/intent-record";
import { recoverWrites } from "@/lib/sent-writes";
import { decimalOf, unitsOf } from "@/lib/text/decimal";
import { followSends } from "@/lib/wallets/follow-sends";
import { SendOrder } from "@/lib/wallets/inputs";
import { candidatesOfSend } from "@/lib/wallets/sent-coins";
import { orderCoins } from "@/lib/wallets/send-coins";
import { middleOf } from "@/lib/wallets/view";
import { walletWatch } from "@/lib/wallets/watch";
import { Refusal, say } from "@/scripts/program.mjs";
import { deriveAddress } from "@/service/crypto/addresses/family";
import { connectTo } from "./provider";

const TENANT = "bench";
const CASES = ["lost after", "lost before", "killed", "held"] as const;
type Case = (typeof CASES)[number];

/** Coins and tokens that its wallets send by turns. */
const LEGS: Readonly<Record<ChainFamily, readonly { network: Network; token: string }[]>> = {
  EVM: [
    { network: "ETHEREUM", token: "" },
    { network: "ETHEREUM", token: "0xdAC17F958D2ee523a2206206994597C13D831ec7" },
    { network: "POLYGON", token: "" },
    { network: "BSC", token: "" },
  ],
  BTC: [{ network: "BITCOIN", token: "" }],
  TRON: [
    { network: "TRON", token: "" },
    { network: "TRON", token: "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t" },
  ],
  SOLANA: [
    { network: "SOLANA", token: "" },
    { network: "SOLANA", token: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGkZwyTDt1v" },
  ],
  XRPL: [
    { network: "XRPL", token: "" },
    { network: "XRPL", token: "USD.rvYAfWj5gh67oV6fW32ZzP3Aw4Eubs59B" },
  ],
};

const Created = z.object({ data: z.object({ walletId: z.string(), address: z.string() }) });
const Told = z.object({
  data: z.array(
    z.object({
      hash: z.string(),
      amount: z.string(),
      transactionSubtype: z.string(),
      tokenAddress: z.string().default(""),
    }),
  ),
});

type Wallet = { walletId: string; address: string; family: ChainFamily; as: Case; to: string };
/** `twin`: the hash of an equal send that somebody made at the provider itself. */
type Send = { wallet: Wallet; order: SendOrder; twin: string | null };

const staffIds = { maker: randomUUID(), approver: randomUUID() };

function actorOf<P extends Permission>(staffId: string, permission: P): Actor<P> {
  const actor = grant({ staffId, tenant: TENANT, roles: ROLES }, permission);
  if (actor === null) throw new Error(`no role grants ${permission}`);
  return actor;
}

async function hire(): Promise<void> {
  const { db } = await openedStore();
  for (const [name, id] of Object.entries(staffIds)) {
    await db.insert(staff).values({ id, email: `${name}@bench.example`, name, passwordHash: "none" });
    await db.insert(staffMembership).values({ staffId: id, tenant: TENANT, roles: [...ROLES] });
  }
  const alone = { kind: "crypto.transfer", version: 1, rule: "never", expiresAfterHours: 24 } as const;
  await db.insert(approvalPolicy).values({ tenant: TENANT, ...alone, staffId: staffIds.maker, createdAt: new Date() });
}

async function furnish({ service }: Product, family: ChainFamily, as: Case): Promise<Wallet> {
  const { walletId, address } = Created.parse(await service.post("/v1/crypto/wallets", { network: family })).data;
  for (const { network, token } of LEGS[family])
    await service.control("/sandbox/crypto/deposits", {
      network,
      address,
      amount: "1000",
      ...(token !== "" && { tokenAddress: token }),
    });
  return { walletId, address, family, as, to: deriveAddress(randomBytes(32), family, 0) };
}

/** Antifraud holds ten or more of a network's own coin. */
function sendsOf(wallet: Wallet, count: number): Send[] {
  const legs = LEGS[wallet.family].filter(({ token }) => wallet.as !== "held" || token === "");
  return Array.from({ length: count }, (_, nth) => {
    const leg = legs[nth % legs.length];
    const amount = `${wallet.as === "held" ? 10 : 1},0${String(nth + 1).padStart(2, "0")}7`;
    const { walletId, to } = wallet;
    const named = { intentId: randomUUID(), middleSix: middleOf(to).text };
    return { wallet, order: SendOrder.parse({ walletId, to, amount, ...leg, ...named }), twin: null };
  });
}

async function toldBy({ service }: Product, { wallet, order }: Send) {
  const { network, token, amount } = order;
  const path = `/v1/crypto/wallets/${wallet.address}/history?network=${network}&pageSize=500`;
  const { data } = Told.parse(await service.read(path));
  return data.filter(
    (one) =>
      one.transactionSubtype === "outgoing" &&
      one.tokenAddress.toLowerCase() === token.toLowerCase() &&
      unitsOf(one.amount) === unitsOf(amount),
  );
}

const intentOf = async (send: Send) =>
  findIntent((await openedStore()).db, { tenant: TENANT, id: send.order.intentId });

async function hashOf({ order }: Send): Promise<string | null> {
  const { db } = await openedStore();
  const isIt = and(eq(cryptoOrder.tenant, TENANT), eq(cryptoOrder.intentId, order.intentId));
  return (await db.select({ hash: cryptoOrder.txHash }).from(cryptoOrder).where(isIt))[0]?.hash ?? null;
}

/** As the watch's sweeps do, with the times to wait set to zero, until two of them bring nothing. */
async function follow(): Promise<void> {
  const { db } = await openedStore();
  const openNow = () => db.$count(providerIntent, sql`${providerIntent.state} in ('SENDING', 'UNKNOWN', 'HELD')`);
  for (let idle = 0, open = -1; idle < 8;) {
    await db.update(providerIntent).set({ sendingUntil: new Date(0) });
    await recoverWrites("wallets", TENANT, "wallets:read");
    await db.update(chainReading).set({ triedAt: sql`${chainReading.triedAt} - interval '1 hour'` });
    await followSends(watchActor("wallets", TENANT, "wallets:read"));
    const now = await openNow();
    idle = now === open ? idle + 1 : 0;
    open = now;
  }
}

async function agree(ending: Omit<OutcomeOrder, "intentId" | "source" | "reference" | "reason">): Promise<void> {
  const said = { source: "provider-panel", reference: "ticket 7", reason: "The panel says so." } as const;
  const concluder = actorOf(staffIds.maker, "outcomes:end");
  const proposed = await orderOutcome(concluder, OutcomeOrder.parse({ intentId: randomUUID(), ...said, ...ending }));
  if (proposed.state !== "PROPOSED") return;
  const approver = actorOf(staffIds.approver, "approvals:authorize");
  await authorise([endOutcome], approver, { approvalId: proposed.approvalId });
}

/** A person looks at the provider's panel, and another agrees. */
async function endByPerson(send: Send, hash: string | null): Promise<void> {
  const { db } = await openedStore();
  const { intentId } = send.order;
  if (hash !== null) return agree({ endedId: intentId, outcome: "HAPPENED", txHash: hash });
  const concluder = actorOf(staffIds.maker, "outcomes:end");
  for (const { id: candidate } of await candidatesOfSend(db, TENANT, intentId))
    await excludeCandidate(concluder, { intentId, candidate });
  await agree({ endedId: intentId, outcome: "NOT_HAPPENED" });
}

type End = "hash" | "not sent" | "left" | "with candidates";
type Row = { sends: Send[]; ends: Map<Send, End>; saidSent: number; saidNot: number };

async function lookAt(send: Send): Promise<End> {
  const intent = await intentOf(send);
  if (intent === null || intent.state === "REFUSED") return "not sent";
  if (intent.state === "DONE") return "hash";
  const { db } = await openedStore();
  const found = await candidatesOfSend(db, TENANT, send.order.intentId);
  return found.length > 0 ? "with candidates" : "left";
}

async function give(product: Product, losses: ReturnType<typeof connectTo>["losses"], send: Send, nth: number) {
  const { as, address } = send.wallet;
  if (as === "lost after" || as === "lost before") losses.push(as === "lost after" ? "after" : "before");
  await orderCoins(actorOf(staffIds.maker, "crypto-transfers:create"), send.order).catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error;
  });
  if (as === "held") {
    const antifraudId = (await intentOf(send))?.antifraudId ?? "";
    const decision = nth % 2 === 0 ? "RELEASE" : "REJECT";
    await product.service.control(`/sandbox/transactions/${antifraudId}`, { decision });
  }
  if (as !== "lost after" || nth % 5 !== 4) return;
  const { network, to, amount, token } = send.order;
  const [currency, issuer] = token.split(".");
  const asset = network === "XRPL" && issuer !== undefined ? { currency, issuer } : { tokenAddress: token };
  const body = { network, fromAddress: address, to, amount, ...(token !== "" && asset) };
  const answer = await product.service.post("/v1/crypto/transfer", body);
  send.twin = z.object({ data: z.object({ txHash: z.string() }) }).parse(answer).data.txHash;
}

const HEADS = ["provider", "family", "case", "sends", "hash by itself", "not sent by itself", "left to a person"];
const MORE = ["with candidates", "said sent", "said not sent", "left the wallet", "ended as sent"];

function printTable(rows: readonly (readonly string[])[]): void {
  const all = [[...HEADS, ...MORE], ...rows];
  const widths = (all[0] ?? []).map((_, at) => Math.max(...all.map((row) => row[at]?.length ?? 0)));
  for (const row of all) say(`  ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join("  ")}`);
}

const sumOf = (amounts: readonly string[]) => amounts.reduce((sum, one) => sum + unitsOf(one), 0n);

const none = (what: string, measured: number) => bound(what, measured, { exactly: 0 });

type Faults = Record<"twice" | "lost" | "invented" | "otherHash" | "open", number>;

/** One provider's manner: all families and cases, from the orders to the last word on each. */
async function run(product: Product, manner: "ours" | "unlike", count: number, faults: Faults) {
  const { db } = await openedStore();
  const { losses } = connectTo(product.service, manner);
  const rows: Row[] = [];
  for (const family of CHAIN_FAMILIES)
    for (const as of CASES) {
      const sends = sendsOf(await furnish(product, family, as), count);
      rows.push({ sends, ends: new Map(), saidSent: 0, saidNot: 0 });
    }
  await walletWatch.sweep(TENANT);
  const killed = rows.filter(({ sends }) => sends[0]?.wallet.as === "killed");
  for (let nth = 0; nth < count; nth += 1)
    await ordersKilled(product, {
      staffId: staffIds.maker,
      nth,
      coins: killed.flatMap(({ sends }) => sends[nth]?.order ?? []),
    });
  for (const { sends } of rows.filter((row) => !killed.includes(row)))
    for (const [nth, send] of sends.entries()) await give(product, losses, send, nth);
  await follow();
  for (const row of rows)
    for (const send of row.sends) {
      const end = await lookAt(send);
      row.ends.set(send, end);
      if (end === "hash" || end === "not sent") continue;
      const isIt = eq(providerIntent.id, send.order.intentId);
      await db
        .update(providerIntent)
        .set({ pendingExpiresAt: new Date(0) })
        .where(isIt);
      const own = (await toldBy(product, send)).filter(({ hash }) => hash !== send.twin);
      await endByPerson(send, own[0]?.hash ?? null);
      if (own[0] === undefined) row.saidNot += 1;
      else row.saidSent += 1;
    }
  await follow();
  const table: string[][] = [];
  for (const { sends, ends, saidSent, saidNot } of rows) {
    const left: string[] = [];
    const sent: string[] = [];
    for (const send of sends) {
      const intent = await intentOf(send);
      const own = (await toldBy(product, send)).filter(({ hash }) => hash !== send.twin);
      const hash = await hashOf(send);
      const isSent = intent?.state === "DONE";
      left.push(...own.map(({ amount }) => amount));
      if (isSent) sent.push(send.order.amount);
      if (own.length > 1) faults.twice += 1;
      if (own.length > 0 && !isSent) faults.lost += 1;
      if (own.length === 0 && isSent) faults.invented += 1;
      if (isSent && own[0] !== undefined && hash !== own[0].hash) faults.otherHash += 1;
      if (intent !== null && (!["DONE", "REFUSED"].includes(intent.state) || intent.contradictedAt !== null))
        faults.open += 1;
    }
    const of = (end: End) => String([...ends.values()].filter((one) => one === end).length);
    const { family = "", as = "" } = sends[0]?.wallet ?? {};
    const counted = [of("hash"), of("not sent"), of("left"), of("with candidates"), String(saidSent), String(saidNot)];
    table.push([manner, family, as, String(sends.length), ...counted, decimalOf(sumOf(left)), decimalOf(sumOf(sent))]);
  }
  return table;
}

export async function measure(args: string[]): Promise<boolean> {
  const { values } = parseArgs({ args, options: { sends: { type: "string", default: "20" } } });
  const count = Number(values.sends);
  if (!Number.isInteger(count) || count < 1) throw new Refusal("npm run bench says what it takes.");
  return withProduct(async (product, onClose) => {
    Object.assign(process.env, product.consoleEnvironment(product.service.origin));
    const { db, close } = await openedStore();
    onClose(close);
    await hire();
    const faults: Faults = { twice: 0, lost: 0, invented: 0, otherHash: 0, open: 0 };
    const table = [];
    for (const manner of ["ours", "unlike"] as const) table.push(...(await run(product, manner, count, faults)));
    printTable(table);
    const hashes = await db
      .select({ hash: cryptoOrder.txHash })
      .from(cryptoOrder)
      .where(sql`${cryptoOrder.txHash} is not null`);
    return printBounds([
      none("orders that left twice", faults.twice),
      none("orders that left and did not end as sent", faults.lost),
      none("orders that ended as sent and never left", faults.invented),
      none("orders that ended with another's hash", faults.otherHash),
      none("orders that did not end", faults.open),
      none("hashes of two orders", hashes.length - new Set(hashes.map(({ hash }) => hash)).size),
    ]);
  });
}
