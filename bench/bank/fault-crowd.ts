import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { WireError } from "@/lib/bank/wire-http";
import { sendOverHttp } from "@/lib/bank/wire-http";
import { type Bound, bound } from "./bound";
import { blackHole, endless } from "./fault";
import type { FaultProxy } from "./fault-proxy";

const CROWD = 200;
const DEADLINE_MS = 2_000;
const GIBIBYTE = 2 ** 30;
/** Longer than an idle connection is kept. */
const CLOSED_WITHIN_MS = 6_000;

const callTo = ({ origin }: FaultProxy, totalMs: number) =>
  ({
    method: "GET",
    url: new URL("/v1/webhooks", origin),
    headers: {},
    limits: { connectMs: 3_000, firstByteMs: 10_000, totalMs, maxBytes: 5 * 2 ** 20 },
  }) as const;

async function fail(proxy: FaultProxy, totalMs: number): Promise<{ code: string; tookMs: number }> {
  const startedAtMs = performance.now();
  const [settled] = await Promise.allSettled([sendOverHttp(callTo(proxy, totalMs))]);
  const error: unknown = settled.status === "rejected" ? settled.reason : undefined;
  return { code: error instanceof WireError ? error.code : "untyped", tookMs: performance.now() - startedAtMs };
}

/** What is left of the connections once the idle ones had time to close. */
export async function connectionsLeft(proxies: readonly FaultProxy[]): Promise<number> {
  const left = () => proxies.reduce((sum, proxy) => sum + proxy.connections(), 0);
  const giveUpAtMs = performance.now() + CLOSED_WITHIN_MS;
  while (left() > 0 && performance.now() < giveUpAtMs) await pause(50);
  return left();
}

/** 200 calls that are never answered, all at once: they end on time, and the others hardly notice. */
export async function crowdIntoBlackHole(proxy: FaultProxy): Promise<readonly Bound[]> {
  proxy.harm("*", blackHole);
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const ends = await Promise.all(Array.from({ length: CROWD }, () => fail(proxy, DEADLINE_MS)));
  delay.disable();
  proxy.heal();
  const offMs = Math.max(...ends.map(({ tookMs }) => Math.abs(tookMs - DEADLINE_MS)));
  return [
    bound(
      `of ${CROWD} calls into a black hole, answered in time by "no-answer"`,
      ends.filter(({ code }) => code === "no-answer").length,
      { exactly: CROWD },
    ),
    bound("furthest from their deadline, ms", Math.round(offMs), { atMost: 500 }),
    bound("delay of the event loop meanwhile, p99, ms", Math.round(delay.percentile(99) / 1e6), { below: 100 }),
    bound("connections left of them", await connectionsLeft([proxy]), { exactly: 0 }),
  ];
}

/** An answer of 1 GiB: what it takes of the memory at its worst. */
export async function swallowGibibyte(proxy: FaultProxy): Promise<readonly Bound[]> {
  proxy.harm("*", endless(GIBIBYTE));
  const before = process.memoryUsage.rss();
  let worst = before;
  const watch = setInterval(() => (worst = Math.max(worst, process.memoryUsage.rss())), 1);
  const { code } = await fail(proxy, 20_000);
  clearInterval(watch);
  proxy.heal();
  const grownMib = Math.round((Math.max(worst, process.memoryUsage.rss()) - before) / 2 ** 20);
  return [
    { what: "an answer of 1 GiB", is: code, isMet: code === "answer-too-large" },
    bound("memory grown by it, MiB", grownMib, { below: 50 }),
  ];
}
