import { beforeEach, describe, expect, test } from "vitest";
import { AURORA, BOREAL, type Harness, readReply, startService } from "@/test/support/service/harness";
import type { Tenant } from "@/service/tenants/load-tenants";

const tenant = (changes: Partial<Tenant>): Tenant => ({ ...AURORA, clientId: "c", clientSecret: "s", ...changes });
const SUSPENDED = tenant({ clientId: "suspended", billingStatus: "SUSPENDED", enabledProducts: [] });
const BANKING_ONLY = tenant({ clientId: "banking-only", enabledProducts: ["BANKING"], allowedOperations: [] });
const LIST_ONLY = tenant({ clientId: "list-only", allowedOperations: ["GET /v1/kyc/list"] });
const PLAIN = tenant({ clientId: "plain" });

const LIST = "/v1/kyc/list";
const PERSON = "/v1/kyc/person";
const CREATE = "/v1/bank-accounts/create";

let service: Harness;
beforeEach(async () => {
  service = await startService({ tenants: [AURORA, BOREAL, SUSPENDED, BANKING_ONLY, LIST_ONLY, PLAIN] });
});

const sendPerson = (body: unknown, headers: Record<string, string> = {}) =>
  service.send("POST", PERSON, { body, headers });
const create = () => service.send("POST", CREATE, { body: {} });
const padded = (sizeBytes: number) => JSON.stringify({ name: "n".repeat(sizeBytes - '{"name":""}'.length) });

async function raw(method: string, path: string, init: { headers?: Record<string, string>; body?: string } = {}) {
  return readReply(await service.app.request(path, { method, ...init }));
}

describe("the tenant id", () => {
  test("takes the tenant from the body's application, then the headers", async () => {
    // The token is Aurora's: any other name gets 401, and Aurora reaches the body's own faults.
    expect((await sendPerson({ application: "aurora" }, { client_id: "boreal", "x-client-id": "boreal" })).status).toBe(
      400,
    );
    expect((await sendPerson({ application: "boreal" }, { client_id: "aurora", "x-client-id": "aurora" })).status).toBe(
      401,
    );
    expect((await sendPerson({}, { client_id: "aurora", "x-client-id": "boreal" })).status).toBe(400);
    expect((await sendPerson({}, { client_id: "boreal", "x-client-id": "aurora" })).status).toBe(401);
    expect((await sendPerson({}, { "x-client-id": "aurora" })).status).toBe(400);
  });

  test("takes the tenant from the next place when empty", async () => {
    const found = await sendPerson({ application: " " }, { client_id: "", "x-client-id": "aurora" });
    expect(found).toMatchObject({ status: 400, body: { message: expect.stringMatching(/^backgroundcheckModel/) } });
    const reply = await sendPerson({ application: 7 }, { "x-client-id": " " });
    expect(reply).toMatchObject({ status: 400, body: { error: "MISSING_CLIENT_ID" } });
  });

  test("answers 401 for an unknown tenant", async () => {
    const unknown = await service.send("GET", LIST, { headers: { "x-client-id": "nobody" } });
    expect(unknown).toMatchObject({ status: 401, body: { message: expect.any(String) } });
  });
});

test("needs no product for the list of subscriptions", async () => {
  const bare = tenant({ clientId: "bare", enabledProducts: [] });
  service = await startService({ tenants: [bare] });
  expect((await service.send("GET", "/v1/webhooks", { tenant: bare })).status).toBe(200);
});

describe("each check comes before the next", () => {
  const nonsense = "{ not json";
  test.each([
    ["the token before billing", { tenant: SUSPENDED, headers: { Authorization: "Bearer x" } }, 401],
    ["billing before the product", { tenant: SUSPENDED }, 402],
    ["the product before the operation", { tenant: BANKING_ONLY }, 403],
    ["access before the body", { tenant: LIST_ONLY, body: nonsense }, 403],
    ["the body last", { tenant: PLAIN, body: nonsense }, 400],
  ])("%s", async (_, request, status) => {
    expect((await service.send("POST", PERSON, request)).status).toBe(status);
  });

  test("checks access before the rate, and the rate before the body", async () => {
    service = await startService({
      tenants: [AURORA, LIST_ONLY],
      environment: { SERVICE_RATE_LIMIT_PER_MINUTE: "1" },
    });
    expect((await service.send("POST", CREATE, { body: nonsense })).status).toBe(400);
    expect((await service.send("POST", CREATE, { body: nonsense })).status).toBe(429);
    expect((await service.send("POST", CREATE, { tenant: LIST_ONLY })).status).toBe(403);
  });
});

describe("the rate limit", () => {
  beforeEach(async () => {
    service = await startService({ environment: { SERVICE_RATE_LIMIT_PER_MINUTE: "3" } });
  });
  test("refuses a financial request over the limit and says when to retry", async () => {
    for (let count = 0; count < 3; count += 1) {
      expect((await create()).status).toBe(400);
      await service.advance(10_000);
    }
    const refused = await create();
    expect(refused).toMatchObject({ status: 429, body: { message: expect.any(String) } });
    expect(refused.headers.get("retry-after")).toBe("30");
    await service.advance(29_999);
    expect((await create()).status).toBe(429);
    await service.advance(1);
    expect((await create()).status).toBe(400);
    expect((await create()).status).toBe(429);
  });
});

test.each(["/v1/kyc/%00", "/"])("answers %s with 404", async (path) => {
  expect(await service.send("GET", path)).toMatchObject({ status: 404, body: { message: expect.any(String) } });
});

describe("the body", () => {
  test("reads a body of 1 MiB, and answers 413 to one byte more", async () => {
    expect((await sendPerson(padded(1_048_576))).status).toBe(400);
    expect(await sendPerson(padded(1_048_577))).toMatchObject({ status: 413, body: { message: expect.any(String) } });
  });

  test.each([1_048_576, 1_048_577])("answers alike for a declared length of %i", async (length) => {
    const headers = { "Content-Length": String(length) };
    const reply = await service.send("POST", PERSON, { body: padded(length), headers });
    expect(reply.status).toBe(length === 1_048_576 ? 400 : 413);
  });

  test.each([
    ["half of it", '{"name": "Maria'],
    ["twice the same field", '{"name":"Maria","name":"Ana"}'],
    ["a NUL", '{"name":"Maria\\u0000"}'],
    ["half a character", '{"name":"\\ud800"}'],
    ["a field name with a NUL", '{"\\u0000":"Maria"}'],
    ["a depth of 50,000", "[".repeat(50_000) + "]".repeat(50_000)],
    ["nothing", ""],
  ])("answers 400 to a body that is %s", async (_, body) => {
    expect(await sendPerson(body)).toMatchObject({ status: 400, body: { message: expect.any(String) } });
  });

  test("answers 400 to a body that is not UTF-8", async () => {
    const body = Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]);
    const token = await service.app.request("/v1/authentication/oauth/access-token", {
      method: "POST",
      headers: { Authorization: `Basic ${btoa("aurora:aurora-secret")}` },
    });
    const { access_token: text }: { access_token: string } = await token.json();
    const headers = { Authorization: `Bearer ${text}`, "x-client-id": "aurora", "Content-Type": "application/json" };
    const response = await service.app.request(PERSON, { method: "POST", headers, body });
    expect(await readReply(response)).toMatchObject({ status: 400, body: { message: "The body is not valid JSON" } });
  });

  test("keeps a body from reaching inherited object properties", async () => {
    const reply = await sendPerson('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}');
    expect(reply.status).toBe(400);
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
  });
});

test("answers a query that cannot be stored with 400 and its name", async () => {
  const reply = await service.send("GET", `${LIST}?kycUUID=%00`);
  expect(reply).toMatchObject({ status: 400, body: { message: expect.stringMatching(/^kycUUID: /) } });
  expect((await service.control("GET", "/sandbox/deliveries?clientId=%00")).status).toBe(400);
});

test("gives every answer its own X-Request-Id", async () => {
  const ids = await Promise.all(
    ["/healthz", "/v1/kyc/list", "/nowhere"].map(async (path) => {
      const { headers } = await service.app.request(path);
      return headers.get("x-request-id");
    }),
  );
  expect(new Set(ids.filter((id) => id !== null)).size).toBe(3);
});

test("reports health without credentials", async () => {
  expect(await raw("GET", "/healthz")).toMatchObject({ status: 200, body: { status: "ok" } });
});
