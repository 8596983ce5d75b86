import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { AccountRequested } from "@/lib/contract/onboarding";
import { companyRequest, personRequest } from "@/test/support/service/accounts";
import { walletsOf } from "@/test/support/service/crypto";
import { expectBalancedBooks } from "@/test/support/service/ledger";
import { BOREAL, type Harness, startService } from "@/test/support/service/harness";
import { Deliveries } from "@/test/support/service/webhooks";
import { cnpjEnding, cpfEnding } from "@/test/support/service/conformance";

const DELAY_MS = 4_000;

let service: Harness;
beforeEach(async () => {
  service = await startService();
});
afterEach(() => expectBalancedBooks(service.call().db));

async function request(body: unknown, tenant = {}): Promise<string> {
  const reply = await service.send("POST", "/v1/bank-accounts/create", { body, ...tenant });
  return AccountRequested.parse(reply.body).data.body.onBoardingId;
}

const Payload = z.looseObject({ clientId: z.string() });

/** What has reached the receiver since the last call, oldest first. */
async function received() {
  await service.deliver();
  const requests = service.receiver.requests.splice(0);
  return requests.map(({ headers, body }) => {
    const payload = Payload.parse(JSON.parse(body));
    return { event: headers["X-Webhook-Event"], id: headers["X-Webhook-Event-Id"], payload };
  });
}

describe("an onboarding", () => {
  test.each([personRequest(cpfEnding("789")), companyRequest(cnpjEnding("678"))])(
    "raises onboarding-create twice when confirmed, each with its own id (%#)",
    async (body) => {
      const onBoardingId = await request(body);
      const [accepted] = await received();
      await service.advance(DELAY_MS);
      const [confirmed, ...more] = await received();
      expect(accepted).toMatchObject({ event: "onboarding-create", payload: { onBoardingId, status: "PROCESSING" } });
      expect(confirmed).toMatchObject({
        event: "onboarding-create",
        payload: { onBoardingId, status: "CONFIRMED", account: { accountId: expect.stringMatching(/./) } },
      });
      expect([more, accepted?.id === confirmed?.id]).toEqual([[], false]);
    },
  );

  test("raises create and backgroundcheck events with the reasons when refused", async () => {
    const onBoardingId = await request(personRequest(cpfEnding("001")));
    await service.advance(DELAY_MS);
    expect(await received()).toMatchObject([
      { event: "onboarding-create", payload: { onBoardingId } },
      {
        event: "onboarding-backgroundcheck",
        payload: { onBoardingId, messages: [{ message: expect.stringMatching(/./), status: "proposal-reproved" }] },
      },
    ]);
  });

  test("raises onboarding-biometrics with the link for biometrics", async () => {
    const onBoardingId = await request(personRequest(cpfEnding("002")));
    await received();
    await service.advance(DELAY_MS);
    expect(await received()).toMatchObject([
      { event: "onboarding-biometrics", payload: { onBoardingId, biometricUrl: expect.stringMatching(/^http/) } },
    ]);
  });
});

test("names its client and its object in every payload", async () => {
  const onBoardingId = await request(personRequest(cpfEnding("789")), { tenant: BOREAL });
  const { walletId, address } = await walletsOf(service, BOREAL).create("EVM");
  await walletsOf(service).deposit({ network: "POLYGON", address, amount: "2.5" });
  expect((await received()).map(({ event, payload }) => ({ event, ...payload }))).toMatchObject([
    { event: "onboarding-create", clientId: "boreal", onBoardingId },
    {
      event: "crypto-cash-in",
      clientId: "boreal",
      walletId,
      address,
      network: "POLYGON",
      amount: "2.5",
      txHash: expect.stringMatching(/^0x/),
    },
  ]);
});

test("tells only the receiving wallet's client about a deposit, once", async () => {
  const { address } = await walletsOf(service).create("BTC");
  await walletsOf(service).deposit({ network: "BITCOIN", address, amount: "0.1" });
  expect(await received()).toMatchObject([{ event: "crypto-cash-in", payload: { clientId: "aurora" } }]);
  const ofBoreal = await service.control("GET", "/sandbox/deliveries?clientId=boreal");
  expect(ofBoreal.body).toEqual({ data: [] });
});

test("shows a delivery as PENDING, then DELIVERED with its attempt's time and status", async () => {
  const deliveries = async () =>
    Deliveries.parse((await service.control("GET", "/sandbox/deliveries?clientId=aurora")).body).data;
  await request(personRequest(cpfEnding("789")));
  expect(await deliveries()).toMatchObject([{ event: "onboarding-create", status: "PENDING", attempts: [] }]);
  const [sent] = await received();
  const at = new Date(service.clock.now()).toISOString();
  expect(await deliveries()).toMatchObject([
    { id: sent?.id, status: "DELIVERED", attempts: [{ at, httpStatus: 200, error: null }] },
  ]);
});
