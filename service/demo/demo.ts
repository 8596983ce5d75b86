import type { Call, Service } from "@/service/context";
import { actingFor } from "@/service/tenants/acting-for";
import { type Dice, seededDice } from "./dice";
import { fillDemo } from "./fill";
import { KNOWN_HOLDER } from "./known";
import { firstNews, tick } from "./tick";
import { anyTrade } from "./trades";

const SOONEST_MS = 20_000;
const LATEST_MS = 60_000;
/** Whoever has just set the demo up looks around: what is told by webhook comes at once, and after the console is up. */
const FIRST_SOONEST_MS = 4_000;
const FIRST_LATEST_MS = 7_000;

export type Demo = { stop: () => Promise<void> };

/** Lets something happen after `ms` milliseconds, until the returned function is called. */
export type Later = (ms: number, happen: () => void) => () => void;

const byTimer: Later = (ms, happen) => {
  const timer = setTimeout(happen, ms);
  return () => clearTimeout(timer);
};

type Life = { dice: Dice; isNew: boolean; later: Later };

/** Lets things happen at humane intervals until it is stopped, in a new demo some news first; `stop` waits for the one at hand. */
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

/** Fills an empty database for the first tenant and keeps it alive (service settings: SERVICE_DEMO_DATA). */
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
