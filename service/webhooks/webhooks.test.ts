import { beforeEach, describe, expect, test } from "vitest";
import { completeCpf } from "@/lib/contract/document";
import { parseJson } from "@/lib/contract/json";
import { Subscriptions } from "@/lib/contract/webhooks";
import { openAccount, personRequest } from "@/test/support/service/accounts";
import { walletsOf } from "@/test/support/service/crypto";
import { transaction } from "@/service/store/transaction";
import type { Tenant } from "@/service/tenants/load-tenants";
import { AURORA, BOREAL, type Harness, startService } from "@/test/support/service/harness";
import { emit } from "./outbox";
import { webhookEvent } from "@/service/store/schema";
import { verify } from "./sender";

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

test("shows a tenant its subscription, and never its secret", async () => {
  const reply = await service.send("GET", "/v1/webhooks");
  expect(reply.status).toBe(200);
  const { data } = Subscriptions.parse(reply.body);
  const { url, events } = AURORA.webhook ?? {};
  expect(data).toEqual([{ id: "webhook-aurora", clientId: "aurora", url, events, status: "active" }]);
});

test("shows an empty list to a tenant without a webhook", async () => {
  const { body } = await service.send("GET", "/v1/webhooks", { tenant: SILENT });
  expect(Subscriptions.parse(body).data).toEqual([]);
});

describe("an event", () => {
  test("keeps an event in the outbox, and lists it as its client's delivery", async () => {
    await raise(AURORA);
    await raise(BOREAL);
    const [row] = await service.app.service.db.select().from(webhookEvent);
    expect(row?.body).toBe(`{"onBoardingId":"o-1","when":${service.clock.now()},"clientId":"aurora"}`);
    const { body } = await service.control("GET", "/sandbox/deliveries?clientId=aurora");
    const createdAt = new Date(service.clock.now()).toISOString();
    expect(body).toEqual({
      data: [
        { id: row?.id, clientId: "aurora", event: "onboarding-create", status: "PENDING", createdAt, attempts: [] },
      ],
    });
  });

  test("keeps no event without a subscription", async () => {
    await raise(CASH_IN_ONLY);
    await raise(SILENT);
    expect(await service.app.service.db.$count(webhookEvent)).toBe(0);
  });

  test("keeps no event of a change that was rolled back", async () => {
    const undone = transaction(service.app.service.db, async (tx) => {
      await emit(service.call(), tx, { event: "onboarding-create", payload: {} });
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    expect(await service.app.service.db.$count(webhookEvent)).toBe(0);
  });
});

test("names its client and its object, and arrives as signed", async () => {
  const confirmed = completeCpf("529982247");
  const refused = completeCpf("123456001");
  const account = await openAccount(service, personRequest(confirmed));
  const refusal = await openAccount(service, personRequest(refused));
  const wallets = walletsOf(service);
  const { walletId, address } = await wallets.create("EVM");
  await wallets.deposit({ network: "POLYGON", address, amount: "1.5" });
  await service.deliver();

  const events = service.receiver.requests.map(({ headers, body }) => {
    expect(verify(AURORA.webhook?.secret ?? "", body, headers["X-Webhook-Signature"] ?? "")).toBe(true);
    return [headers["X-Webhook-Event"], parseJson(body)];
  });
  const { accountId, onBoardingId } = account;
  const clientId = "aurora";
  expect(events).toHaveLength(5);
  expect(events).toEqual(
    expect.arrayContaining([
      ["onboarding-create", expect.objectContaining({ clientId, onBoardingId, status: "PROCESSING" })],
      [
        "onboarding-create",
        expect.objectContaining({
          clientId,
          onBoardingId,
          status: "CONFIRMED",
          account: expect.objectContaining({ accountId }),
        }),
      ],
      [
        "onboarding-backgroundcheck",
        expect.objectContaining({
          clientId,
          onBoardingId: refusal.onBoardingId,
          status: "ERROR",
          messages: [expect.objectContaining({ id: "onboarding-backgroundcheck" })],
        }),
      ],
      [
        "crypto-cash-in",
        expect.objectContaining({
          clientId,
          walletId,
          address,
          network: "POLYGON",
          amount: "1.5",
          txHash: expect.any(String),
        }),
      ],
    ]),
  );
});
