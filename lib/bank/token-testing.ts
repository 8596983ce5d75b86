import { sql } from "drizzle-orm";
import type { Db } from "@/lib/store/store";
import { createTokens, type Tokens } from "./token";
import type { Credentials } from "./token";
import type { Incoming, Outgoing, Wire } from "./wire-http";

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;

export const incoming = (status: number, body: unknown, headers: Record<string, string> = {}): Incoming => ({
  status,
  header: (name) => headers[name] ?? null,
  text: typeof body === "string" ? body : JSON.stringify(body),
});

/** The nth token the desk gives, counting from 1. */
export const granted = (nth: number, expiresInS: unknown = 3_600): Incoming =>
  incoming(201, { access_token: `token-${nth}`, token_type: "Bearer", expires_in: expiresInS });

export const secretOf = ({ headers }: Outgoing): string =>
  Buffer.from(headers["authorization"]?.replace("Basic ", "") ?? "", "base64")
    .toString("utf8")
    .replace(/^[^:]*:/, "");

type Give = (answer: Incoming) => void;

/** An answer that comes when the test gives it. */
export function later() {
  const gives: Give[] = [];
  const promise = new Promise<Incoming>((resolve) => {
    gives.push(resolve);
  });
  return { promise, give: (answer: Incoming) => gives.forEach((give) => give(answer)) };
}

type Process = { skewMs?: number; baseUrl?: string; credentials?: () => Credentials };

/** What one test left going on behind its callers must not end in what the next one reads: each has its own provider. */
let fixtures = 0;

/** A provider of tokens, a clock that moves when told, and as many processes as a test wants on one store. */
export function tokenFixture(db: Db, wire?: Wire) {
  const credentials: Credentials = { clientSecret: "secret-one" };
  // Between two milliseconds, as the real one is.
  let nowMs = Date.parse("2026-03-10T12:00:00Z") + 0.25;
  fixtures += 1;
  const ownUrl = `https://bank-${fixtures}.example`;
  const requests: Outgoing[] = [];
  const alarms: AbortController[] = [];
  const fixture = {
    baseUrl: ownUrl,
    requests,
    alarms,
    credentials,
    storeAsked: 0,
    isStoreAway: false,
    /** What the provider says to the nth request. */
    answer: (_request: Outgoing, nth: number): Incoming | Promise<Incoming> => granted(nth),
    advance: (ms: number) => {
      nowMs += ms;
    },
    now: () => nowMs,
    /** One more process, whose clock may be wrong. */
    process: ({ skewMs = 0, baseUrl = ownUrl, credentials: own }: Process = {}): Tokens =>
      createTokens({
        tenant: { clientId: "aurora", baseUrl },
        credentials: own ?? (() => fixture.credentials),
        wire: async (request) => {
          requests.push(request);
          return wire === undefined ? fixture.answer(request, requests.length) : wire(request);
        },
        db: async () => {
          fixture.storeAsked += 1;
          if (fixture.isStoreAway) throw new Error("the store is away");
          return db;
        },
        now: () => nowMs + skewMs,
        storeNow: () => sql`to_timestamp(${nowMs}::float8 / 1000)`,
        sleep: () => new Promise((resolve) => setImmediate(resolve)),
        alarm: (ms) => {
          if (!Number.isInteger(ms)) throw new RangeError(`no alarm goes off after ${ms} ms`);
          const alarm = new AbortController();
          alarms.push(alarm);
          return alarm.signal;
        },
        random: () => 0,
      }),
  };
  return fixture;
}
