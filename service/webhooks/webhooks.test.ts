import { beforeEach, describe, expect, test } from "vitest";
import { Subscriptions } from "@/lib/contract/webhooks";
import { transaction } from "@/service/store/transaction";
import type { Tenant } from "@/service/tenants/tenant";
import { AURORA, BOREAL, type Harness, startService } from "@/service/testing";
import { emit } from "./emit";
import { webhookEvent } from "./schema";

const CASH_IN_ONLY: Tenant = {
  ...AURORA,
  clientId: "cash-in-only",
  webhook: { url: "https://hooks.example", secret: "s", events: ["crypto-cash-in"] },
};
const SILENT: Tenant = { ...AURORA, clientId: "silent", webhook: null };

let service: Harness;
beforeEach(async () => {
  service = await startService({ tenants: [AURORA, BOREAL, CASH_IN_ONLY, SILENT] });
});

const raise = (tenant: Tenant) =>
  transaction(service.app.service.db, (tx) =>
    emit(service.call(tenant), tx, { event: "onboarding-create", payload: { onBoardingId: "o-1" } }),
  );

test("a tenant reads its subscription, and never its secret", async () => {
  const reply = await service.send("GET", "/v1/webhooks");
  expect(reply.status).toBe(200);
  const { data } = Subscriptions.parse(reply.body);
  const { url, events } = AURORA.webhook ?? {};
  expect(data).toEqual([{ id: "webhook-aurora", clientId: "aurora", url, events, status: "active" }]);
});

test("a tenant without a webhook reads an empty list", async () => {
  const { body } = await service.send("GET", "/v1/webhooks", { tenant: SILENT });
  expect(Subscriptions.parse(body).data).toEqual([]);
});

describe("an event", () => {
  test("waits in the outbox with its bytes, and is listed as a delivery of its client", async () => {
    await raise(AURORA);
    await raise(BOREAL);
    const [row] = await service.app.service.db.select().from(webhookEvent);
    expect(row?.body).toBe('{"onBoardingId":"o-1","clientId":"aurora"}');
    const { body } = await service.control("GET", "/sandbox/deliveries?clientId=aurora");
    const createdAt = new Date(service.clock.now()).toISOString();
    expect(body).toEqual({
      data: [
        { id: row?.id, clientId: "aurora", event: "onboarding-create", status: "PENDING", createdAt, attempts: [] },
      ],
    });
  });

  test("that the tenant does not subscribe to is not kept", async () => {
    await raise(CASH_IN_ONLY);
    await raise(SILENT);
    expect(await service.app.service.db.$count(webhookEvent)).toBe(0);
  });

  test("of a change that is undone never was", async () => {
    const undone = transaction(service.app.service.db, async (tx) => {
      await emit(service.call(), tx, { event: "onboarding-create", payload: {} });
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    expect(await service.app.service.db.$count(webhookEvent)).toBe(0);
  });
});
