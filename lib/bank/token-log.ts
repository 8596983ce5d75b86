import { randomUUID } from "node:crypto";
import type { Call } from "./call-log";
import { kindOf } from "./error";
import { REFUSALS, TOKEN_PATH } from "./token-request";
import type { Wire } from "./wire";

type TokenLogDoor = {
  wire: Wire;
  tenant: string;
  logCall: (call: Call) => void;
  now: () => number;
  wallTime: () => Date;
};

/** Nobody in particular asks for a token: it is for whoever comes. */
const ACTOR = "watch:token";

/** The wire that token requests go by: each is in the call log, its secret and its answer are not. */
export function logTokenRequests({ wire, tenant, logCall, now, wallTime }: TokenLogDoor): Wire {
  return async (outgoing) => {
    const [startedAtMs, at] = [now(), wallTime()];
    const [sent] = await Promise.allSettled([wire(outgoing)]);
    const status = sent.status === "fulfilled" ? sent.value.status : null;
    const isOk = status !== null && status >= 200 && status < 300;
    logCall({
      id: randomUUID(),
      tenant,
      method: outgoing.method,
      path: TOKEN_PATH,
      status,
      kind: isOk ? "ok" : status === null ? "unavailable" : kindOf(status, undefined),
      code: isOk ? null : REFUSALS.includes(status) ? "token-refused" : "token-unavailable",
      durationMs: now() - startedAtMs,
      waitedMs: 0,
      lane: "watchers",
      attempt: 1,
      actor: ACTOR,
      object: null,
      providerRequestId: null,
      at,
    });
    if (sent.status === "rejected") throw sent.reason;
    return sent.value;
  };
}
