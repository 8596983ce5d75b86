import { endAccount } from "@/service/accounts/list-accounts";
import { onboarding } from "@/service/accounts/schema";
import type { Call, Service } from "@/service/context";
import { wallet } from "@/service/crypto/schema";
import { kycProcess } from "@/service/kyc/schema";
import { BRL, worldAccount } from "@/service/ledger/account";
import { postAll } from "@/service/ledger/books";
import { uuid } from "@/service/random";
import { transaction, type Tx } from "@/service/store/transaction";
import { actingFor } from "@/service/tenants/billing";
import { fillKyc } from "./kyc";
import { fillOnboardings } from "./onboardings";
import { type Dice, inventDocuments, KNOWN_HOLDER, seededDice } from "./people";
import { planStatements } from "./statements";
import { firstNews, tick } from "./tick";
import { anyTrade, fillTrades } from "./trades";
import { fillWallets } from "./wallets";

const SEED = 20_260_310;

async function isEmpty(tx: Tx): Promise<boolean> {
  const counts = [await tx.$count(onboarding), await tx.$count(wallet), await tx.$count(kycProcess)];
  return counts.every((count) => count === 0);
}

/** Only an empty database; true when it did. Reproducible but for ids, keys and dates, which count back from now. */
export async function fillDemo(call: Call): Promise<boolean> {
  return transaction(call.db, async (tx) => {
    if (!(await isEmpty(tx))) return false;
    const dice = seededDice(SEED);
    const documents = inventDocuments(dice, [KNOWN_HOLDER.documentNumber]);
    const { rows, accounts } = await fillOnboardings(call, tx, { dice, documents });
    const world = await worldAccount(tx, BRL);
    const scene = { accounts, world, nowMs: call.clock.now(), newId: () => uuid(call.random) };
    await postAll(call, tx, planStatements(dice, scene));
    for (const account of accounts) if (account.closing) await endAccount(tx, account, account.closing);
    await fillKyc(call, tx, { dice, documents, customers: rows });
    await fillWallets(call, tx, dice);
    await fillTrades(call, tx, dice);
    return true;
  });
}

const SOONEST_MS = 20_000;
const LATEST_MS = 60_000;
/** After the console is up, and while somebody looks around. */
const FIRST_SOONEST_MS = 4_000;
const FIRST_LATEST_MS = 7_000;

type Demo = { stop: () => Promise<void> };

/** Returns how to cancel it. */
export type Later = (ms: number, happen: () => void) => () => void;

const byTimer: Later = (ms, happen) => {
  const timer = setTimeout(happen, ms);
  return () => clearTimeout(timer);
};

type Life = { dice: Dice; isNew: boolean; later: Later };

/** `stop` waits for the one at hand. */
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
