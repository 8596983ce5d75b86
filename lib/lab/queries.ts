import { z } from "zod";
import { query } from "@/lib/query";
import { env } from "@/lib/settings/env";
import { labOrNothing, steer } from "./control";
import { asleepUntil } from "./receiver";
import { SCENARIOS } from "./scenarios";
import { type InForce, type Lab, OFFERED } from "./view";

/** Only with the embedded service that was started with this console. */
export const isLabOpen = (): boolean => env().lab !== null;

const Instant = z.iso.datetime();

const State = z.object({
  data: z.object({
    now: Instant,
    trouble: z.object({ kind: z.enum(["rate-limited", "unavailable", "silent"]), until: Instant }).nullable(),
    outageUntil: Instant.nullable(),
    holds: z.number().int(),
  }),
});

const TROUBLES = {
  "rate-limited": "limit-calls",
  unavailable: "answer-unavailable",
  silent: "fall-silent",
} as const;

type Lasting = z.output<typeof State>["data"] & { asleep: number | null };

function inForceOf({ now, trouble, outageUntil, holds, asleep }: Lasting, asOf: Date): InForce[] {
  // The service's clock may be ahead of this one.
  const here = (until: string) => new Date(asOf.getTime() + Date.parse(until) - Date.parse(now)).toISOString();
  const lasting: InForce[] = [];
  if (trouble !== null)
    lasting.push({ name: TROUBLES[trouble.kind], endedBy: "end-trouble", until: here(trouble.until) });
  if (asleep !== null)
    lasting.push({ name: "sleep-receiver", endedBy: "end-sleep", until: new Date(asleep).toISOString() });
  if (outageUntil !== null)
    lasting.push({ name: "lose-deliveries", endedBy: "end-lost-deliveries", until: here(outageUntil) });
  if (holds > 0) lasting.push({ name: "hold-next", endedBy: "end-holds", until: null });
  return lasting;
}

/** 404 without a lab; throws `AppError` unavailable where the service does not answer. */
export const getLab = query("settings:manage", async (player): Promise<Lab> => {
  labOrNothing();
  const of = new URLSearchParams({ clientId: player.tenant });
  const { data } = await steer({ method: "GET", path: `/sandbox/state?${of}` }, State);
  const asOf = new Date();
  const scenarios: Lab["scenarios"] = [];
  for (const name of OFFERED) scenarios.push({ name, ...(await SCENARIOS[name].describe(player)) });
  return {
    scenarios,
    inForce: inForceOf({ ...data, asleep: asleepUntil(player.tenant) }, asOf),
    asOf: asOf.toISOString(),
  };
});
