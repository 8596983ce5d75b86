import { z } from "zod";
import { parseJson } from "@/lib/contract/json";
import { lookupHash } from "@/lib/store/seal";
import { retryAfterMs } from "./answer";
import { BankError } from "./error";
import type { Incoming, Wire } from "./wire";

export const TOKEN_PATH = "/v1/authentication/oauth/access-token";

/** Read afresh at each request; `previousClientSecret` while the provider may not know the new one yet. */
export type Credentials = { clientSecret: string; previousClientSecret?: string };

/** The tenant as token requests know it. */
export type Client = { clientId: string; baseUrl: string };

export type Granted = { value: string; lifetimeMs: number };

type Asking = { client: Client; credentials: Credentials; wire: Wire };

/** Two of them fit into the time that the others wait for the one who asks. */
const LIMITS = { connectMs: 3_000, firstByteMs: 7_000, totalMs: 7_000, maxBytes: 64 * 1024 };
/** A lifetime in which hardly a call fits (zero, a negative one) cannot be meant: a minute stands in for it. */
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

/** What can stand in the header that carries it. */
const SENDABLE = /^[\u0021-\u007e]+$/;

/** What is needed of the interface's Token: one that lacks the rest serves as well. */
const Grant = z
  .object({ access_token: z.string().regex(SENDABLE), expires_in: Seconds })
  .transform(({ access_token: value, expires_in: seconds }): Granted => {
    const lifetimeS = seconds < SHORTEST_LIFETIME_S ? ASSUMED_LIFETIME_S : Math.min(seconds, LONGEST_LIFETIME_S);
    return { value, lifetimeMs: lifetimeS * 1_000 };
  });

/** Tells credentials from others without being them. */
export const hashOf = ({ clientId, baseUrl }: Client, credentials: Credentials): string =>
  lookupHash(JSON.stringify([baseUrl, clientId, credentials.clientSecret, credentials.previousClientSecret ?? null]));

/** The interface says of refused credentials only that the status is 4xx: these are the ones that OAuth servers use. */
export const REFUSALS: readonly (number | null)[] = [400, 401, 403];

const CODES = {
  forbidden: "token-refused",
  restricted: "token-unavailable",
  "rate-limited": "token-unavailable",
  unavailable: "token-unavailable",
  malformed: "token-not-readable",
} as const;

/** A kind that speaks of the access, never of what is behind it: a token endpoint not found is no record not found. */
function kindOf(status: number): keyof typeof CODES {
  if (REFUSALS.includes(status)) return "forbidden";
  if (status === 402) return "restricted";
  if (status === 429) return "rate-limited";
  return status >= 500 ? "unavailable" : "malformed";
}

function failure({ status, header }: Incoming): BankError {
  const kind = kindOf(status);
  const waitMs = retryAfterMs(header("retry-after"), Date.now());
  const details = { status, code: CODES[kind], mayHaveExecuted: false };
  return new BankError(kind, { ...details, ...(waitMs !== null && { retryAfterMs: waitMs }) });
}

/** The errors of parsing are dropped: they may quote the token. */
async function readGrant({ status, text }: Incoming): Promise<Granted> {
  const [read] = await Promise.allSettled([Promise.resolve(text).then((json) => Grant.parse(parseJson(json)))]);
  if (read.status === "fulfilled") return read.value;
  throw new BankError("malformed", { status, code: "token-not-readable", mayHaveExecuted: false });
}

async function askWith({ client, wire }: Asking, clientSecret: string): Promise<Granted> {
  const basic = Buffer.from(`${client.clientId}:${clientSecret}`).toString("base64");
  const [answer] = await Promise.allSettled([
    wire({
      method: "POST",
      url: new URL(client.baseUrl + TOKEN_PATH),
      headers: { authorization: `Basic ${basic}`, "content-type": "application/json", accept: "application/json" },
      limits: LIMITS,
      isFresh: true,
    }),
  ]);
  if (answer.status === "rejected") {
    throw new BankError("unavailable", { code: "token-unavailable", mayHaveExecuted: false, cause: answer.reason });
  }
  const { status } = answer.value;
  if (status < 200 || status >= 300 || status === 202) throw failure(answer.value);
  return readGrant(answer.value);
}

const isRefusal = (error: unknown) => error instanceof BankError && error.details.code === "token-refused";

/**
 * A new access token (interface: POST /v1/authentication/oauth/access-token). When the secret is refused, the previous
 * one is tried once. Throws `BankError` with the code `token-refused`, `token-unavailable` or `token-not-readable`.
 */
export async function requestToken(asking: Asking): Promise<Granted> {
  const { clientSecret, previousClientSecret } = asking.credentials;
  const [granted] = await Promise.allSettled([askWith(asking, clientSecret)]);
  if (granted.status === "fulfilled") return granted.value;
  if (previousClientSecret === undefined || !isRefusal(granted.reason)) throw granted.reason;
  return askWith(asking, previousClientSecret);
}
