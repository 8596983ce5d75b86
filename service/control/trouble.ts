import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import type { Clock } from "@/service/clock";
import { errorBody, ServiceError } from "@/service/error";
import { type Answering, pathOf } from "@/service/http/answer";
import { stringifyJson } from "@/lib/contract/json";

const MAX_SECONDS = 3_600;

const KINDS = ["rate-limited", "unavailable", "silent"] as const;

export const TroubleOrder = z.strictObject({ kind: z.enum(KINDS), seconds: z.number().min(0).max(MAX_SECONDS) });
type TroubleOrder = z.output<typeof TroubleOrder>;
type Trouble = { kind: TroubleOrder["kind"]; untilMs: number };

/** By the service's clock, for every tenant; it ends with the process. */
export type Troubles = { begin: (order: TroubleOrder) => Trouble | null; current: () => Trouble | null };

export function createTroubles(clock: Clock): Troubles {
  let last: Trouble | null = null;
  const current = () => (last !== null && clock.now() < last.untilMs ? last : null);
  return {
    current,
    begin: ({ kind, seconds }) => {
      last = { kind, untilMs: clock.now() + seconds * 1_000 };
      return current();
    },
  };
}

const REFUSALS = {
  "rate-limited": new ServiceError(429, "Rate limit exceeded", { headers: { "Retry-After": "1" } }),
  unavailable: new ServiceError(503, "The service is unavailable"),
} as const;

const SILENT_MS = 60_000;
const LOOKS_EVERY_MS = 250;

/** A client that gives up, and the trouble's end, end the wait. */
async function silence(request: Request, troubles: Troubles): Promise<void> {
  for (let waitedMs = 0; waitedMs < SILENT_MS && !request.signal.aborted; waitedMs += LOOKS_EVERY_MS) {
    if (troubles.current()?.kind !== "silent") return;
    await pause(LOOKS_EVERY_MS, undefined, { ref: false });
  }
}

/** Everything under `/v1` is refused, or answered only once the silence is over; nothing takes effect meanwhile. */
export function applyTroubles(troubles: Troubles, answer: Answering): Answering {
  return async (request, entry) => {
    const trouble = pathOf(request).startsWith("/v1/") ? troubles.current() : null;
    if (trouble === null) return answer(request, entry);
    const refusal = REFUSALS[trouble.kind === "rate-limited" ? "rate-limited" : "unavailable"];
    if (trouble.kind === "silent") await silence(request, troubles);
    return new Response(stringifyJson(errorBody(refusal)), {
      status: refusal.status,
      headers: {
        "Content-Type": "application/json; charset=UTF-8",
        "X-Request-Id": entry.requestId,
        ...refusal.headers,
      },
    });
  };
}
