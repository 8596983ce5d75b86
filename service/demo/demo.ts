import { eq } from "drizzle-orm";
import { actingFor, type Call, type Service } from "@/service/context";
import { centsToReais, KNOWN_ASSETS, BRL, worldAccount } from "@/service/ledger/account";
import { newTrade } from "@/service/otc/record-trade";
import { kycProcess, onboarding, otcTrade, wallet } from "@/service/store/schema";
import { type Tx, transaction } from "@/service/store/transaction";
import { type Dice, someCents, inventDocuments, KNOWN_HOLDER, seededDice } from "./people";
import { endAccount } from "@/service/accounts/list-accounts";

import { postAll } from "@/service/ledger/books";
import { uuid } from "@/service/random";
import { fillKyc } from "./kyc";
import { fillOnboardings } from "./onboardings";
import { planStatements } from "./statements";
import { firstNews, tick } from "./tick";
import { fillWallets } from "./wallets";

const DAY_MS = 86_400_000;
const TRADES = 12;
/** The oldest one. */
export const KNOWN_TRADE = "5b0f6a52-8c1d-4e7b-9d43-2f6e81c07a19";
const MARKETS = [
  { assetId: "BITCOIN", reais: [540_000, 610_000], quantities: ["0.05", "0.125", "0.35", "1.2"] },
  { assetId: "ETHEREUM", reais: [17_500, 21_000], quantities: ["0.8", "2.5", "14"] },
  { assetId: "SOLANA", reais: [780, 960], quantities: ["25", "140.5"] },
  { assetId: "XRPL", reais: [11, 15], quantities: ["4500", "20000"] },
] as const;

async function fillTrades(call: Call, tx: Tx, dice: Dice): Promise<void> {
  const trades = Array.from({ length: TRADES }, (_, index) => {
    const { assetId, reais, quantities } = dice.pick(MARKETS);
    const asset = KNOWN_ASSETS.find(({ id }) => id === assetId);
    if (!asset?.network) throw new Error(`${assetId} is not known`);
    const isNewest = index === TRADES - 1;
    const createdAt = new Date(call.clock.now() - (TRADES - index) * 2 * DAY_MS + dice.int(0, DAY_MS));
    const trade = newTrade(call, asset, {
      clientId: call.tenant.clientId,
      side: dice.pick(["BUY", "SELL"]),
      network: asset.network,
      quantity: dice.pick(quantities),
      price: centsToReais(someCents(dice, reais[0], reais[1])),
      status: isNewest ? "QUOTED" : "SETTLED",
    });
    const id = index === 0 ? KNOWN_TRADE : trade.id;
    return { ...trade, id, createdAt, settledAt: trade.settledAt && new Date(createdAt.getTime() + DAY_MS / 24) };
  });
  await tx.insert(otcTrade).values(trades);
}

async function anyTrade({ db, tenant }: Call): Promise<string | undefined> {
  const ofTenant = eq(otcTrade.clientId, tenant.clientId);
  const [first] = await db
    .select({ id: otcTrade.id })
    .from(otcTrade)
    .where(ofTenant)
    .orderBy(otcTrade.createdAt)
    .limit(1);
  return first?.id;
}

const SEED = 20_260_310;

async function isEmpty(tx: Tx): Promise<boolean> {
  const counts = [await tx.$count(onboarding), await tx.$count(wallet), await tx.$count(kycProcess)];
  return counts.every((count) => count === 0);
}

/** Only an empty database; true when it was. Reproducible except for ids, keys and dates, which count back from now. */
export async function fillDemo(call: Call): Promise<boolean> {
  return transaction(call.db, async (tx) => {
    if (!(await isEmpty(tx))) return false;
    const dice = seededDice(SEED);
    const documents = inventDocuments(dice, [KNOWN_HOLDER.documentNumber]);
    const { rows, accounts } = await fillOnboardings(call, tx, { dice, documents });
    const world = await worldAccount(tx, BRL);
    const scene = { accounts, world, nowMs: call.clock.now(), newId: () => uuid(call.random) };
    await postAll(tx, planStatements(dice, scene));
    for (const account of accounts) if (account.closing) await endAccount(tx, account, account.closing);
    await fillKyc(call, tx, { dice, documents, customers: rows });
    await fillWallets(call, tx, dice);
    await fillTrades(call, tx, dice);
    return true;
  });
}

const SOONEST_MS = 20_000;
const LATEST_MS = 60_000;
/** After the console has started, and while somebody may look around. */
const FIRST_SOONEST_MS = 4_000;
const FIRST_LATEST_MS = 7_000;

type Demo = { stop: () => Promise<void> };

/** Returns a function that cancels it. */
export type Later = (ms: number, happen: () => void) => () => void;

const byTimer: Later = (ms, happen) => {
  const timer = setTimeout(happen, ms);
  return () => clearTimeout(timer);
};

type Life = { dice: Dice; isNew: boolean; later: Later };

/** `stop` waits for the current one. */
function keepAlive(call: Call, { dice, isNew, later }: Life): Demo {
  const news = isNew ? [...firstNews] : [];
  let work = Promise.resolve();
  let cancel: (() => void) | undefined;
  const plan = () => {
    const first = news.shift();
    const ms = first ? dice.int(FIRST_SOONEST_MS, FIRST_LATEST_MS) : dice.int(SOONEST_MS, LATEST_MS);
    cancel = later(ms, () => {
      const beat = first ? first(call, dice) : tick(call, dice);
      work = beat.catch((error: unknown) => call.log.warn({ err: error }, "the demo missed a beat"));
      plan();
    });
  };
  plan();
  return {
    stop: async () => {
      cancel?.();
      await work;
    },
  };
}

export async function startDemo(service: Service, later: Later = byTimer): Promise<Demo> {
  const [first] = service.tenants.all;
  const call = first && actingFor(service, first.clientId);
  if (!call) return { stop: async () => undefined };
  const isNew = await fillDemo(call);
  const trade = await anyTrade(call);
  service.log.info(`demo data: try CPF ${KNOWN_HOLDER.documentNumber}${trade ? `, OTC trade ${trade}` : ""}`);
  const [seed = 0] = new Uint32Array(service.random(4).slice().buffer);
  return keepAlive(call, { dice: seededDice(seed), isNew, later });
}
