import { createHash } from "node:crypto";
import { pino } from "pino";
import { Token } from "@/lib/contract/auth";
import { parseJson, stringifyJson } from "@/lib/contract/json";
import { type App, createApp, type Deps } from "@/service/app";
import type { Clock } from "@/service/clock";
import type { Call } from "@/service/context";
import { assertDescribed } from "./openapi";
import type { Random } from "@/service/random";
import { readSettings } from "@/service/settings";
import { emptyDatabase } from "./store";
import type { Tenant } from "@/service/tenants/load-tenants";
import type { Post } from "@/service/webhooks/post";
import { type Receiver, recordedReceiver } from "./webhooks";

export const START_MS = Date.parse("2026-03-10T12:00:00.000Z");
export const CONTROL_TOKEN = "control-token-of-the-tests";

const everything: Omit<Tenant, "clientId" | "clientSecret" | "name"> = {
  enabledProducts: ["BANKING", "CRYPTO", "CRYPTO_BRIDGE", "KYC", "SALARY_ADVANCE"],
  allowedOperations: null,
  billingStatus: "ACTIVE",
  webhook: {
    url: "https://hooks.aurora.example/bank",
    secret: "aurora-webhook-secret",
    events: ["onboarding-create", "onboarding-biometrics", "onboarding-backgroundcheck", "crypto-cash-in"],
  },
};
export const AURORA: Tenant = { ...everything, clientId: "aurora", clientSecret: "aurora-secret", name: "Aurora" };
export const BOREAL: Tenant = { ...everything, clientId: "boreal", clientSecret: "boreal-secret", name: "Boreal" };

/** A clock that stands still until told. */
export function fixedClock(startMs = START_MS): Clock & { set: (ms: number) => void } {
  let nowMs = startMs;
  return {
    now: () => nowMs,
    set: (ms) => {
      nowMs = ms;
    },
  };
}

/** The same bytes in the same order for the same seed. */
export function seededRandom(seed: string): Random {
  let counter = 0;
  return (sizeBytes) => {
    const blocks: Buffer[] = [];
    for (let size = 0; size < sizeBytes; size += 32) {
      blocks.push(createHash("sha256").update(`${seed}:${counter}`).digest());
      counter += 1;
    }
    return Buffer.concat(blocks).subarray(0, sizeBytes);
  };
}

type Wish = { environment?: Record<string, string>; tenants?: readonly Tenant[]; post?: Post };

type Request = { tenant?: Tenant; body?: unknown; headers?: Record<string, string> };
type Reply = { status: number; headers: Headers; body: unknown };

export type Harness = {
  /** Its `request` fails when an answer differs from /openapi.json, unless faults were planned. */
  app: App;
  clock: ReturnType<typeof fixedClock>;
  /** Sends a request with the tenant's token and x-client-id (Aurora by default); `body` is written losslessly. */
  send: (method: string, path: string, request?: Request) => Promise<Reply>;
  /** Sends a control request. */
  control: (method: string, path: string, body?: unknown) => Promise<Reply>;
  /** Moves the clock forward and runs everything due. */
  advance: (milliseconds: number) => Promise<void>;
  /** Makes every due webhook attempt; otherwise nothing is delivered. */
  deliver: () => Promise<void>;
  /** Where webhooks go, unless `startService` was given another `post`. */
  receiver: Receiver;
  /** The context of an operation called without HTTP. */
  call: (tenant?: Tenant) => Call;
  /** The same database under a new process, whose tenants file may differ. */
  restart: (changes?: Pick<Wish, "tenants">) => Promise<Harness>;
};

export async function readReply(response: Response): Promise<Reply> {
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === "" ? undefined : parseJson(text) };
}

const basic = ({ clientId, clientSecret }: Tenant) =>
  `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}`;

type TestDeps = Deps & { clock: ReturnType<typeof fixedClock>; receiver: Receiver };

async function harness(deps: TestDeps): Promise<Harness> {
  const plain = await createApp(deps);
  const tokens = new Map<string, { text: string; untilMs: number }>();
  let hasFaults = false;
  const request: App["request"] = async (input, init) => {
    const response = await plain.request(input, init);
    if (!hasFaults && typeof input === "string") await assertDescribed(input, init, response.clone());
    return response;
  };
  const app = { ...plain, request };

  const tokenOf = async (tenant: Tenant): Promise<string> => {
    const known = tokens.get(tenant.clientId);
    if (known && app.service.clock.now() < known.untilMs) return known.text;
    const response = await app.request("/v1/authentication/oauth/access-token", {
      method: "POST",
      headers: { Authorization: basic(tenant) },
    });
    const { access_token: text, expires_in: seconds } = Token.parse(await response.json());
    tokens.set(tenant.clientId, { text, untilMs: app.service.clock.now() + seconds * 1_000 });
    return text;
  };
  const raw = async (method: string, path: string, { body, headers = {} }: Request): Promise<Reply> => {
    const sent = body === undefined || typeof body === "string" ? body : stringifyJson(body);
    const type: Record<string, string> = sent === undefined ? {} : { "Content-Type": "application/json" };
    const init = { method, headers: { ...type, ...headers }, ...(sent !== undefined && { body: sent }) };
    return readReply(await app.request(path, init));
  };
  return {
    app,
    clock: deps.clock,
    send: async (method, path, { tenant = AURORA, body, headers = {} } = {}) => {
      const identity = { Authorization: `Bearer ${await tokenOf(tenant)}`, "x-client-id": tenant.clientId };
      return raw(method, path, { body, headers: { ...identity, ...headers } });
    },
    control: (method, path, body) => {
      if (path === "/sandbox/faults" || path === "/sandbox/trouble") hasFaults = method === "POST";
      return raw(method, path, { body, headers: { Authorization: `Bearer ${CONTROL_TOKEN}` } });
    },
    advance: async (milliseconds) => {
      deps.clock.set(deps.clock.now() + milliseconds);
      await app.runDue();
    },
    deliver: app.sender.deliverDue,
    receiver: deps.receiver,
    call: (tenant = AURORA) => ({ ...app.service, tenant }),
    restart: (changes = {}) => harness({ ...deps, ...changes }),
  };
}

/** A service over an empty database with two tenants, a stopped clock and seeded randomness. */
export async function startService(wish: Wish = {}): Promise<Harness> {
  const { environment = {}, tenants = [AURORA, BOREAL] } = wish;
  const receiver = recordedReceiver();
  return harness({
    db: await emptyDatabase(),
    clock: fixedClock(),
    random: seededRandom("service"),
    receiver,
    post: wish.post ?? receiver.post,
    settings: readSettings({ SERVICE_CONTROL_TOKEN: CONTROL_TOKEN, ...environment }),
    tenants,
    log: pino({ level: "silent" }),
  });
}
