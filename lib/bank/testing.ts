import { stringifyJson } from "@/lib/contract/json";
import type { BankDoor } from "./client";

export const CLIENT_SECRET = "a-secret-that-must-not-leak";

const TOKEN_PATH = "/v1/authentication/oauth/access-token";

export function jsonAnswer(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return new Response(status === 204 ? null : stringifyJson(body), {
    status,
    headers: { "content-type": "application/json", ...headers },
  });
}

/** The nth token the scripted provider gives, counting from 1. */
export const tokenNumber = (n: number) => `token-${n}`;

export const bearerOf = (request: Request) => request.headers.get("authorization")?.replace("Bearer ", "");

type Script = {
  /** Answers every call but the token's; `nth` counts from 1. */
  answer: (request: Request, nth: number) => Response | Promise<Response>;
  token?: (nth: number) => Response | Promise<Response>;
  random?: number;
  /** How long an attempt takes on the door's clock. */
  attemptMs?: number;
};

/** A provider's door for faults that a well-behaved service cannot show: scripted answers and a clock that moves by sleeping. */
export function scriptedDoor({ answer, token, random = 0, attemptMs = 0 }: Script) {
  const tokenCalls: Request[] = [];
  const calls: Request[] = [];
  const sleeps: number[] = [];
  let nowMs = Date.parse("2026-03-10T12:00:00Z");
  const issue = () =>
    jsonAnswer(201, {
      access_token: tokenNumber(tokenCalls.length),
      token_type: "Bearer",
      expires_in: 3600,
      issued_at: new Date(nowMs).toISOString(),
      scope: "",
    });
  const door: BankDoor = {
    tenant: { baseUrl: "https://bank.example", clientId: "aurora", clientSecret: CLIENT_SECRET },
    now: () => nowMs,
    random: () => random,
    sleep: async (ms) => {
      sleeps.push(ms);
      nowMs += ms;
    },
    fetch: async (request) => {
      nowMs += attemptMs;
      if (new URL(request.url).pathname === TOKEN_PATH) {
        tokenCalls.push(request);
        return token?.(tokenCalls.length) ?? issue();
      }
      calls.push(request);
      return answer(request, calls.length);
    },
  };
  const advance = (ms: number) => {
    nowMs += ms;
  };
  return { door, calls, tokenCalls, sleeps, advance };
}
