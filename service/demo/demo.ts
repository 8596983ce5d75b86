import type { Call, Service } from "@/service/context";
import { actingFor } from "@/service/tenants/acting-for";
import { type Dice, seededDice } from "./dice";
import { fillDemo } from "./fill";
import { KNOWN_HOLDER } from "./known";
import { tick } from "./tick";
import { anyTrade } from "./trades";

const SOONEST_MS = 20_000;
const LATEST_MS = 60_000;

export type Demo = { stop: () => Promise<void> };

/** Lets things happen at humane intervals until it is stopped; `stop` waits for the one at hand. */
function keepAlive(call: Call, dice: Dice): Demo {
  let work = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const plan = () => {
    timer = setTimeout(
      () => {
        work = tick(call, dice).catch((error: unknown) => call.log.warn({ err: error }, "the demo missed a beat"));
        plan();
      },
      dice.int(SOONEST_MS, LATEST_MS),
    );
  };
  plan();
  return {
    stop: async () => {
      clearTimeout(timer);
      await work;
    },
  };
}

/** Fills an empty database for the first tenant and keeps it alive (service settings: SERVICE_DEMO_DATA). */
export async function startDemo(service: Service): Promise<Demo> {
  const [first] = service.tenants.all;
  const call = first && actingFor(service, first.clientId);
  if (!call) return { stop: async () => undefined };
  await fillDemo(call);
  const trade = await anyTrade(call);
  service.log.info(`demo data: try CPF ${KNOWN_HOLDER.documentNumber}${trade ? `, OTC trade ${trade}` : ""}`);
  const [seed = 0] = new Uint32Array(service.random(4).slice().buffer);
  return keepAlive(call, seededDice(seed));
}
