import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Token } from "@/lib/contract/auth";
import { startServer } from "./program";

/** The service at work over an empty database, and what it takes to speak to it. */
export type Service = {
  origin: string;
  pid: number;
  tenant: { clientId: string; clientSecret: string };
  headers: Record<string, string>;
  control: (method: "GET" | "POST", path: string, body?: unknown) => Promise<unknown>;
  stop: () => Promise<void>;
};

const tenant = {
  clientId: "bench",
  clientSecret: randomBytes(24).toString("hex"),
  name: "Bench",
  enabledProducts: ["BANKING", "CRYPTO", "KYC"],
  allowedOperations: null,
  billingStatus: "ACTIVE",
  webhook: null,
};

/** The answer's JSON; throws when it is no success. */
export async function answerOf(response: Response): Promise<unknown> {
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.url} answered ${response.status}: ${text}`);
  return JSON.parse(text);
}

async function signIn(origin: string): Promise<Record<string, string>> {
  const basic = Buffer.from(`${tenant.clientId}:${tenant.clientSecret}`).toString("base64");
  const answer = await fetch(`${origin}/v1/authentication/oauth/access-token`, {
    method: "POST",
    headers: { Authorization: `Basic ${basic}` },
  });
  const { access_token: token } = Token.parse(await answerOf(answer));
  return { Authorization: `Bearer ${token}`, "x-client-id": tenant.clientId };
}

type Start = {
  databaseUrl?: string | undefined;
  nodeOptions?: readonly string[];
  environment?: Record<string, string>;
};

/**
 * Starts the service as `npm run service` does, its rate limit out of the way unless the `environment` sets one.
 * `databaseUrl`: on that PostgreSQL database, else on the embedded one. `stop` ends it and removes its files.
 */
export async function startService({ databaseUrl, nodeOptions = [], environment = {} }: Start): Promise<Service> {
  const directory = mkdtempSync(join(tmpdir(), "retaguarda-bench-"));
  const tenantsFile = join(directory, "tenants.json");
  writeFileSync(tenantsFile, JSON.stringify({ tenants: [tenant] }), { mode: 0o600 });
  const controlToken = randomBytes(24).toString("hex");
  const server = await startServer({
    file: "service/main.ts",
    nodeOptions,
    environment: {
      SERVICE_PORT: "0",
      SERVICE_DATA_DIR: join(directory, "data"),
      SERVICE_TENANTS_FILE: tenantsFile,
      SERVICE_CONTROL_TOKEN: controlToken,
      SERVICE_PROVIDER_DELAY_MS: "manual",
      SERVICE_RATE_LIMIT_PER_MINUTE: "1000000000",
      SERVICE_LOG_LEVEL: "error",
      ...(databaseUrl !== undefined && { SERVICE_DATABASE_URL: databaseUrl }),
      ...environment,
    },
  });
  const { origin, child } = server;
  return {
    origin,
    pid: child.pid ?? 0,
    tenant,
    headers: await signIn(origin),
    control: async (method, path, body) => {
      const headers = { Authorization: `Bearer ${controlToken}`, "Content-Type": "application/json" };
      const content = body === undefined ? {} : { body: JSON.stringify(body) };
      return answerOf(await fetch(origin + path, { method, headers, ...content }));
    },
    stop: async () => {
      await server.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
