import { beforeAll, describe, expect, test } from "vitest";
import { GATEWAY_ERRORS } from "@/lib/contract/errors";
import { type Operation, operations } from "@/service/gateway/operations";
import { PRODUCT_FAMILIES, type Tenant } from "@/service/tenants/load-tenants";
import { AURORA, BOREAL, type Harness, startService } from "@/test/support/service/harness";
import { ask } from "@/test/support/service/conformance";

const tenant = (clientId: string, changes: Partial<Tenant> = {}): Tenant => ({ ...AURORA, clientId, ...changes });
const SUSPENDED = tenant("suspended", { billingStatus: "SUSPENDED" });
const RESTRICTED = tenant("restricted", { billingStatus: "RESTRICTED" });
const BARRED = tenant("barred", { allowedOperations: [] });
const only = (name: string) => tenant(`only ${name}`.replaceAll(/[^\w]/g, "-"), { allowedOperations: [name] });
const without = (family: string) =>
  tenant(`without-${family}`, { enabledProducts: PRODUCT_FAMILIES.filter((other) => other !== family) });

const all: readonly Operation[] = Object.values(operations);
const named = all.map((operation) => [operation.name, operation] as const);
const families = named.filter(([, { family }]) => family !== null);
const commands = named.filter(([, { method }]) => method !== "GET");
const queries = named.filter(([, { method }]) => method === "GET");

/** An operation's path with a value for each parameter. */
const pathOf = ({ path }: Operation) => path.replaceAll(/\{\w+\}/g, "some-id");
const send = (operation: Operation, request: Parameters<Harness["send"]>[2] = {}, at = service) =>
  at.send(operation.method, pathOf(operation), { ...(operation.method !== "GET" && { body: {} }), ...request });
const errorOf = ({ body }: Awaited<ReturnType<typeof send>>): unknown =>
  typeof body === "object" && body !== null && "error" in body ? body.error : undefined;

// Refusals change nothing, so one service serves them all.
let service: Harness;
beforeAll(async () => {
  const tenants = [AURORA, BOREAL, SUSPENDED, RESTRICTED, BARRED];
  service = await startService({
    tenants: [...tenants, ...all.map(({ name }) => only(name)), ...PRODUCT_FAMILIES.map(without)],
    environment: { SERVICE_RATE_LIMIT_PER_MINUTE: "100000" },
  });
});

describe("every operation", () => {
  test.each(named)("%s is 400 MISSING_CLIENT_ID without a tenant, whatever the token", async (_, operation) => {
    const reply = await send(operation, { headers: { "x-client-id": "" } });
    expect(reply).toMatchObject({ status: 400, body: { error: "MISSING_CLIENT_ID" } });
    expect(reply.body).toMatchObject({ message: expect.stringContaining("client id header") });
  });

  test.each(named)("%s is 401 without a bearer token and with an invalid one", async (_, operation) => {
    const expected = [
      [{}, "You must send an Authorization header"],
      [{ Authorization: "Basic YTpi" }, "Expected a Bearer token"],
      [{ Authorization: "Bearer" }, "Expected a Bearer token"],
      [{ Authorization: "Bearer no-token" }, "Invalid token"],
    ] as const;
    for (const [headers, message] of expected) {
      const reply = await ask(service, [operation.method, pathOf(operation)], { "x-client-id": "aurora", ...headers });
      expect(reply).toMatchObject({ status: 401, body: { message } });
      expect(reply.body).toEqual({ message });
    }
  });

  test.each(named)("%s is 401 for the token of another client", async (_, operation) => {
    const reply = await send(operation, { tenant: BOREAL, headers: { "x-client-id": "aurora" } });
    expect(reply).toMatchObject({ status: 401, body: { message: "Invalid token" } });
  });

  test.each(named)("%s is 402 for a suspended client", async (_, operation) => {
    const reply = await send(operation, { tenant: SUSPENDED });
    expect([reply.status, errorOf(reply)]).toEqual([402, "ACCOUNT_SUSPENDED"]);
  });

  test.each(named)(
    "%s is 403 for a client without rights, and passes for one allowed only that",
    async (_, operation) => {
      const refused = await send(operation, { tenant: BARRED });
      expect([refused.status, errorOf(refused)]).toEqual([403, "OPERATION_NOT_ALLOWED"]);
      const passed = await send(operation, { tenant: only(operation.name) });
      expect(GATEWAY_ERRORS).not.toContain(errorOf(passed));
      expect([401, 402, 403, 405]).not.toContain(passed.status);
    },
  );

  test.each(families)("%s is 403 without its product, and needs no other", async (_, operation) => {
    const refused = await send(operation, { tenant: without(operation.family ?? "") });
    expect([refused.status, errorOf(refused)]).toEqual([403, "PRODUCT_NOT_ENABLED"]);
    const others = PRODUCT_FAMILIES.filter((other) => other !== operation.family);
    for (const other of others) expect(errorOf(await send(operation, { tenant: without(other) }))).toBeUndefined();
  });

  test.each(named)("%s has no other method, and says so before authentication", async (_, operation) => {
    const allowed = all.filter(({ path }) => path === operation.path).map(({ method }) => method);
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
      if (allowed.some((one) => one === method)) continue;
      const reply = await ask(service, [method, pathOf(operation)]);
      expect(reply).toMatchObject({ status: 405, body: { message: expect.any(String) } });
      expect(reply.headers.get("allow")?.split(", ")).toEqual(
        allowed.toSorted((one, other) => one.localeCompare(other)),
      );
    }
  });

  test.each(named)("%s is not found with an extra slash or capital", async (_, operation) => {
    const { method } = operation;
    const path = pathOf(operation);
    for (const other of [
      `${path}/`,
      `/${path}`,
      path.replace("/v1/", "/V1/"),
      path.replace("/v1/", "/v2/"),
      `${path}x/y`,
    ])
      expect((await service.send(method, other, method === "GET" ? {} : { body: {} })).status).toBe(404);
  });
});

const UNREADABLE: Readonly<Record<string, string>> = {
  "nested too deep": "[".repeat(65),
  "no JSON": "{",
  "a tenant of nobody's": '{"application":"nobody"}',
  "no tenant": "{}",
  "more than 1 MiB": " ".repeat(1_048_577),
};

test.each(commands)(
  "%s answers a bad body without a live token with 401, or 400 without a tenant",
  async (_, { method, path }) => {
    for (const body of Object.values(UNREADABLE)) {
      for (const client of [{}, { "x-client-id": "aurora" }]) {
        const isNamed = "x-client-id" in client || body.includes("application");
        for (const authorization of [{}, { Authorization: "Bearer no-token" }]) {
          const answer = await service.app.request(path, { method, body, headers: { ...client, ...authorization } });
          expect(answer.status).toBe(isNamed ? 401 : 400);
          expect(await answer.json()).toMatchObject(isNamed ? {} : { error: "MISSING_CLIENT_ID" });
        }
      }
    }
  },
);

test.each(commands)("application in the body names the tenant of %s, before any header", async (_, operation) => {
  const meant = await send(operation, { body: { application: "aurora" }, headers: { "x-client-id": "boreal" } });
  expect([400, 404]).toContain(meant.status);
  expect(errorOf(meant)).toBeUndefined();
  const other = await send(operation, { body: { application: "boreal" } });
  expect(other).toMatchObject({ status: 401, body: { message: "Invalid token" } });
});

describe("a restricted client", () => {
  test.each(commands)("refuses a restricted client %s", async (_, operation) => {
    const reply = await send(operation, { tenant: RESTRICTED });
    expect([reply.status, errorOf(reply)]).toEqual([402, "ACCOUNT_RESTRICTED"]);
  });

  test.each(queries)("lets a restricted client ask %s", async (_, operation) => {
    const reply = await send(operation, { tenant: RESTRICTED });
    expect([200, 400, 404]).toContain(reply.status);
    expect(errorOf(reply)).toBeUndefined();
  });
});

const limited = () => startService({ environment: { SERVICE_RATE_LIMIT_PER_MINUTE: "1" } });
const FINANCIAL = new Set([
  "POST /v1/bank-accounts/create",
  "POST /v1/bank-accounts/generateInternalTransferRequest",
  "POST /v1/bank-accounts/generateExternalTransferRequest",
  "POST /v1/bank-accounts/closeAccount",
  "POST /v1/crypto/transfer",
]);

describe("the rate limit", () => {
  test("counts all callers of the financial routes together, and no other", async () => {
    const at = await limited();
    const statuses = new Map<string, number>();
    await at.send("POST", "/v1/bank-accounts/create", { body: {} });
    for (const operation of all) statuses.set(operation.name, (await send(operation, { tenant: BOREAL }, at)).status);
    const refused = [...statuses].filter(([, status]) => status === 429).map(([name]) => name);
    expect(new Set(refused)).toEqual(FINANCIAL);
  });

  test("limits calls to 200 a minute unless the setting says otherwise", async () => {
    const at = await startService();
    const statuses: number[] = [];
    for (let count = 0; count < 201; count += 1)
      statuses.push((await at.send("POST", "/v1/bank-accounts/create", { body: {} })).status);
    expect([statuses.filter((status) => status === 400).length, statuses.at(-1)]).toEqual([200, 429]);
  });

  test("does not count what is refused before it", async () => {
    const at = await limited();
    for (const headers of [{ "x-client-id": "" }, { Authorization: "Bearer nothing" }])
      await at.send("POST", "/v1/bank-accounts/create", { body: {}, headers });
    expect((await at.send("POST", "/v1/bank-accounts/create", { body: {} })).status).toBe(400);
  });
});
