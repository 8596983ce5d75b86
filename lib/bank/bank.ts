import { setTimeout as sleep } from "node:timers/promises";
import type { Actor } from "@/lib/auth/grant";
import { readCredentials, tenantOf } from "@/lib/env";
import { SettingError } from "@/lib/setting";
import { type Bank, createBank } from "./client";

declare global {
  var retaguardaBanks: Map<string, Bank> | undefined;
}

/** Next gives equal GETs of one render one answer, to retries too, unless a signal stands beside the address. */
function fetchAfresh(request: Request): Promise<Response> {
  if (request.method !== "GET") return fetch(request, { cache: "no-store" });
  const { url, headers, redirect, signal } = request;
  return fetch(url, { headers, redirect, signal, cache: "no-store" });
}

/** The one client of this process for the actor's tenant, so that all callers share its token. */
function shared(actor: Actor): Bank {
  globalThis.retaguardaBanks ??= new Map();
  const opened = globalThis.retaguardaBanks.get(actor.tenant);
  if (opened !== undefined) return opened;
  const tenant = tenantOf(actor.tenant);
  if (tenant === undefined) throw new SettingError(`${actor.tenant} is the Client_ID of no tenant`);
  const client = createBank({
    tenant: { ...tenant, ...readCredentials(tenant.clientId) },
    fetch: fetchAfresh,
    now: Date.now,
    sleep: async (ms) => {
      await sleep(ms);
    },
    random: Math.random,
  });
  globalThis.retaguardaBanks.set(actor.tenant, client);
  return client;
}

export const bank: Bank = {
  get: (actor, operation, given) => shared(actor).get(actor, operation, given),
  post: (actor, operation, body) => shared(actor).post(actor, operation, body),
};
