import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { expectBalancedBooks } from "@/test/support/service/ledger";
import { balanceOf, openAccount, statementOf } from "@/test/support/service/transfers";
import { deliveries, raise } from "@/test/support/service/webhooks";
import { BOREAL, type Harness, startService } from "@/test/support/service/harness";
import { ask, cpfEnding, person } from "@/test/support/service/conformance";

let service: Harness;
beforeEach(async () => {
  service = await startService();
});
afterEach(() => expectBalancedBooks(service.call().db));

const fault = (changes: Record<string, unknown>) =>
  service.control("POST", "/sandbox/faults", { path: "/v1/kyc/list", times: 1, ...changes });
const plainly = { "x-client-id": "aurora" };

describe("a planned fault", () => {
  test.each(["GET", "POST", "PUT", "PATCH", "DELETE"])(
    "reaches %s with a planned fault on its route, as often as planned",
    async (method) => {
      await fault({ method, status: 503, body: { message: "down" }, headers: { "Retry-After": "9" }, times: 2 });
      for (let count = 0; count < 2; count += 1) {
        const reply = await ask(service, [method, "/v1/kyc/list"], plainly);
        expect(reply).toMatchObject({ status: 503, body: { message: "down" } });
        expect(reply.headers.get("retry-after")).toBe("9");
      }
      expect((await ask(service, [method, "/v1/kyc/list"], plainly)).status).not.toBe(503);
    },
  );

  test("leaves other routes and methods alone", async () => {
    await fault({ method: "GET", status: 503 });
    expect((await ask(service, ["GET", "/v1/webhooks"], plainly)).status).toBe(401);
    expect((await ask(service, ["POST", "/v1/kyc/list"], plainly)).status).toBe(405);
    expect((await ask(service, ["GET", "/v1/kyc/list"], plainly)).status).toBe(503);
  });

  test("queues a planned fault behind an earlier one", async () => {
    await fault({ method: "GET", status: 500 });
    await fault({ method: "GET", status: 429 });
    const statuses = [await ask(service, ["GET", "/v1/kyc/list"]), await ask(service, ["GET", "/v1/kyc/list"])];
    expect(statuses.map(({ status }) => status)).toEqual([500, 429]);
  });

  test("replaces the operation, which is not carried out", async () => {
    await fault({ method: "POST", path: "/v1/kyc/person", status: 500 });
    expect((await service.send("POST", "/v1/kyc/person", { body: person })).status).toBe(500);
    expect((await service.send("GET", "/v1/kyc/list")).body).toMatchObject({ result: [] });
  });
});

describe("money from outside", () => {
  test("books money from outside as its stated kind, PIX by default", async () => {
    const account = await openAccount(service);
    const path = `/sandbox/bank-accounts/${account.accountId}/credit`;
    const { body } = await service.control("POST", path, { amount: 10.01 });
    await service.control("POST", path, { amount: 5, type: "TED", description: "Salário de março" });
    const { transactionId } = z.object({ data: z.object({ transactionId: z.string() }) }).parse(body).data;
    expect(await statementOf(service, account)).toMatchObject([
      { type: "TED", amount: "5.00", description: "Salário de março", direction: "CREDIT" },
      { transactionId, type: "PIX", amount: "10.01", direction: "CREDIT" },
    ]);
    expect(await balanceOf(service, account)).toEqual(["15.01", "0.00"]);
  });
});

describe("the clock", () => {
  test("moves the current time forward, and never backwards", async () => {
    const when = async () =>
      z.object({ when: z.number() }).parse((await service.send("POST", "/v1/kyc/person", { body: person })).body).when;
    const before = await when();
    await service.control("POST", "/sandbox/clock", { advanceSeconds: 90 });
    expect((await when()) - before).toBe(90_000);
    expect((await service.control("POST", "/sandbox/clock", { advanceSeconds: -90 })).status).toBe(400);
  });
});

const pass = async (ms: number) => {
  await service.advance(ms);
  await service.deliver();
};

describe("an outage of receivers", () => {
  test("loses an event after four attempts, and none after its end", async () => {
    await service.control("POST", "/sandbox/outage", { seconds: 60 });
    await raise(service);
    await service.deliver();
    for (const gapMs of [1_000, 2_000, 4_000]) await pass(gapMs);
    await raise(service);
    await service.deliver();
    await service.control("POST", "/sandbox/outage", { seconds: 0 });
    await pass(1_000);
    expect((await deliveries(service)).map(({ status, attempts }) => [status, attempts.length])).toEqual([
      ["DELIVERED", 2],
      ["FAILED", 4],
    ]);
    expect(service.receiver.requests).toHaveLength(1);
    expect((await service.control("POST", "/sandbox/outage", { seconds: -1 })).status).toBe(400);
  });
});

test("sets billing for one client by the control route, but no access lists", async () => {
  const bill = (status: string) => service.control("PUT", "/sandbox/tenants/aurora/billing", { status });
  const statuses = [];
  for (const status of ["SUSPENDED", "RESTRICTED", "ACTIVE"]) {
    await bill(status);
    const query = await service.send("GET", "/v1/kyc/list");
    const command = await service.send("POST", "/v1/kyc/person", { body: { ...person, vatNumber: cpfEnding("790") } });
    statuses.push([status, query.status, command.status]);
  }
  expect(statuses).toEqual([
    ["SUSPENDED", 402, 402],
    ["RESTRICTED", 200, 402],
    ["ACTIVE", 200, 200],
  ]);
  expect((await service.send("GET", "/v1/kyc/list", { tenant: BOREAL })).status).toBe(200);
  const changes = { status: "ACTIVE", enabledProducts: [], allowedOperations: [] };
  expect((await service.control("PUT", "/sandbox/tenants/aurora/billing", changes)).status).toBe(400);
});
