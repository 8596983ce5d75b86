import { setTimeout as sleep } from "node:timers/promises";
import { env } from "@/lib/env";
import { type Bank, createBank } from "./client";

declare global {
  var retaguardaBank: Bank | undefined;
}

/** Next gives equal GETs of one render one answer, to retries too, unless a signal stands beside the address. */
function fetchAfresh(request: Request): Promise<Response> {
  if (request.method !== "GET") return fetch(request, { cache: "no-store" });
  const { url, headers, redirect, signal } = request;
  return fetch(url, { headers, redirect, signal, cache: "no-store" });
}

/** The one client of this process, so that all callers share its token. */
function shared(): Bank {
  globalThis.retaguardaBank ??= createBank({
    tenant: env().tenant,
    fetch: fetchAfresh,
    now: Date.now,
    sleep: async (ms) => {
      await sleep(ms);
    },
    random: Math.random,
  });
  return globalThis.retaguardaBank;
}

export const bank: Bank = {
  get: (actor, operation, given) => shared().get(actor, operation, given),
  post: (actor, operation, body) => shared().post(actor, operation, body),
};
