import { setTimeout as sleep } from "node:timers/promises";
import { env } from "@/lib/env";
import { type Bank, createBank } from "./client";

declare global {
  var retaguardaBank: Bank | undefined;
}

/** The one client of this process, so that all callers share its token. */
function shared(): Bank {
  globalThis.retaguardaBank ??= createBank({
    tenant: env().tenant,
    // Named again, the signal keeps Next from giving a retry of the same render the answer it tries to better.
    fetch: (request) => fetch(request, { cache: "no-store", signal: request.signal }),
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
