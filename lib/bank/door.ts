import type { Tenant } from "@/lib/tenants-file";
import type { Budget } from "./budget";
import type { Call } from "./call-log";
import type { Circuit } from "./circuit";
import type { Tokens } from "./token";
import type { Wire } from "./wire";

/** All that is not deterministic, and what the callers of one tenant share. */
export type BankDoor = {
  tenant: Pick<Tenant, "baseUrl" | "clientId">;
  wire: Wire;
  tokens: Tokens;
  budget: Budget;
  circuit: Circuit;
  logCall: (call: Call) => void;
  /** Milliseconds on a clock that never jumps: what deadlines are counted by. */
  now: () => number;
  wallTime: () => Date;
  sleep: (ms: number) => Promise<void>;
  /** In [0, 1). */
  random: () => number;
};
