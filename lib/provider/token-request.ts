import { watchId } from "@/lib/permission/watches";
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { parseJson } from "@/lib/contract/json";
import { kindOf, retryAfterMs } from "./answer";
import { AppError } from "@/lib/errors/app-error";
import type { Call } from "./call-log";
import type { Incoming, Outgoing, Wire } from "./wire-http";

export const TOKEN_PATH = "/v1/authentication/oauth/access-token";

/** `previousClientSecret`: while the provider may not know the new one yet. */
export type Credentials = { clientSecret: string; previousClientSecret?: string };

export type Client = { clientId: string; baseUrl: string };

type Granted = { value: string; lifetimeMs: number };

type Asking = { client: Client; credentials: Credentials; wire: Wire };

const LIMITS = { connectMs: 3_000, firstByteMs: 7_000, totalMs: 7_000, maxBytes: 64 * 1024 };
/** A lifetime shorter than a call must be an error, so a minute replaces it. */
const SHORTEST_LIFETIME_S = 5;
const ASSUMED_LIFETIME_S = 60;
const LONGEST_LIFETIME_S = 24 * 3_600;

const Seconds = z.union([
  z.number(),
  z
    .string()
    .regex(/^-?\d{1,9}$/)
    .transform(Number),
]);

const SENDABLE = /^[\u0021-\u007e]+$/;

/** The interface's other token fields are not needed. */
const Grant = z
  .object({ access_token: z.string().regex(SENDABLE), expires_in: Seconds })
  .transform(({ access_token: value, expires_in: seconds }): Granted => {
    const lifetimeS = seconds < SHORTEST_LIFETIME_S ? ASSUMED_LIFETIME_S : Math.min(seconds, LONGEST_LIFETIME_S);
    return { value, lifetimeMs: lifetimeS * 1_000 };
  });

/** The interface says only 4xx: these are what OAuth servers use. */
const REFUSALS: readonly (number | null)[] = [400, 401, 403];

const CODES = {
  forbidden: "token-refused",
  restricted: "token-unavailable",
  "rate-limited": "token-unavailable",
  unavailable: "token-unavailable",
  malformed: "token-not-readable",
} as const;

/** Never not-found: a missing token endpoint is no missing record. */
function kindOfRefusal(status: number): keyof typeof CODES {
  if (REFUSALS.includes(status)) return "forbidden";
  if (status === 402) return "restricted";
  if (status === 429) return "rate-limited";
  return status >= 500 ? "unavailable" : "malformed";
}

function tokenError({ status, header }: Incoming): AppError {
  const kind = kindOfRefusal(status);
  const waitMs = retryAfterMs(header("retry-after"), Date.now());
  const details = { status, code: CODES[kind], mayHaveExecuted: false };
  return new AppError(kind, { ...details, ...(waitMs !== null && { retryAfterMs: waitMs }) });
}

function readGrant({ status, text }: Incoming): Granted {
  try {
    return Grant.parse(parseJson(text));
  } catch {
    // Without its cause, which may quote the token.
    throw new AppError("malformed", { status, code: "token-not-readable", mayHaveExecuted: false });
  }
}

export const basicOf = (clientId: string, clientSecret: string): string =>
  `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}`;

async function askWith({ client, wire }: Asking, clientSecret: string): Promise<Granted> {
  const asked: Outgoing = {
    method: "POST",
    url: new URL(client.baseUrl + TOKEN_PATH),
    headers: {
      authorization: basicOf(client.clientId, clientSecret),
      "content-type": "application/json",
      accept: "application/json",
    },
    limits: LIMITS,
    isFresh: true,
  };
  let answer: Incoming;
  try {
    answer = await wire(asked);
  } catch (cause) {
    throw new AppError("unavailable", { code: "token-unavailable", mayHaveExecuted: false, cause });
  }
  const { status } = answer;
  if (status < 200 || status >= 300 || status === 202) throw tokenError(answer);
  return readGrant(answer);
}

const isRefusal = (error: unknown) => error instanceof AppError && error.details.code === "token-refused";

/** interface: POST /v1/authentication/oauth/access-token. Throws `AppError` `token-refused`, `-unavailable`, `-not-readable`. */
export async function requestToken(asking: Asking): Promise<Granted> {
  const { clientSecret, previousClientSecret } = asking.credentials;
  try {
    return await askWith(asking, clientSecret);
  } catch (error) {
    if (previousClientSecret === undefined || !isRefusal(error)) throw error;
    return askWith(asking, previousClientSecret);
  }
}

type TokenLogDeps = {
  wire: Wire;
  tenant: string;
  logCall: (call: Call) => void;
  now: () => number;
  wallTime: () => Date;
};

const ACTOR = watchId("token");

export function logTokenRequests({ wire, tenant, logCall, now, wallTime }: TokenLogDeps): Wire {
  return async (outgoing) => {
    const startedAtMs = now();
    const at = wallTime();
    const sent = wire(outgoing);
    const status = await sent.then(
      (answer) => answer.status,
      () => null,
    );
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
    return sent;
  };
}
