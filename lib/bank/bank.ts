import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { env, readCredentials, tenantOf } from "@/lib/env";
import { SettingError } from "@/lib/setting";
import { db } from "@/lib/store/store";
import type { Tenant } from "@/lib/tenants-file";
import { type Budget, createBudget } from "./budget";
import { logCall } from "./call-log";
import { createCircuit } from "./circuit";
import { type Bank, createBank } from "./client";
import { createTokens } from "./token";
import { logTokenRequests } from "./token-log";
import { sendOverHttp } from "./wire-http";

declare global {
  var retaguardaBanks: Map<string, Bank> | undefined;
  var retaguardaBudgets: Map<string, Budget> | undefined;
}

const now = () => performance.now();
const wallTime = () => new Date();
const pause = async (ms: number): Promise<void> => {
  await sleep(ms);
};

function wakeIn(ms: number, wake: () => void): () => void {
  const timer = setTimeout(wake, ms);
  return () => clearTimeout(timer);
}

/** The provider counts calls by the address they come from: all tenants of one provider share a budget. */
function budgetOf({ baseUrl }: Tenant): Budget {
  const { origin } = new URL(baseUrl);
  const budgets = (globalThis.retaguardaBudgets ??= new Map<string, Budget>());
  const budget = budgets.get(origin) ?? createBudget({ store: db, origin, limit: env().callsPerMinute, now, wakeIn });
  budgets.set(origin, budget);
  return budget;
}

function connect(tenant: Tenant): Bank {
  return createBank({
    tenant,
    wire: sendOverHttp,
    tokens: createTokens({
      tenant,
      credentials: () => readCredentials(tenant.clientId),
      wire: logTokenRequests({ wire: sendOverHttp, tenant: tenant.clientId, logCall, now, wallTime }),
      db,
      now,
      storeNow: () => sql`clock_timestamp()`,
      sleep: pause,
      alarm: (ms) => AbortSignal.timeout(ms),
      random: Math.random,
    }),
    budget: budgetOf(tenant),
    circuit: createCircuit({ now }),
    logCall,
    now,
    wallTime,
    sleep: pause,
    random: Math.random,
  });
}

/** The one client of this process for the tenant: Next loads modules several times, and all callers share its token. */
function bankOf(clientId: string): Bank {
  const banks = (globalThis.retaguardaBanks ??= new Map<string, Bank>());
  const known = banks.get(clientId);
  if (known !== undefined) return known;
  const tenant = tenantOf(clientId);
  if (tenant === undefined) throw new SettingError(`${clientId} is the Client_ID of no tenant`);
  const connected = connect(tenant);
  banks.set(clientId, connected);
  return connected;
}

/** The provider as the actor's tenant has it. */
export const bank: Pick<Bank, "get" | "post"> = {
  get: (actor, operation, given) => bankOf(actor.tenant).get(actor, operation, given),
  post: (actor, operation, given) => bankOf(actor.tenant).post(actor, operation, given),
};

export const standing = (clientId: string): ReturnType<Bank["standing"]> => bankOf(clientId).standing();
