import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { companyRequest, personRequest } from "@/test/support/service/accounts";
import { AccountRequested, OnboardingRecord } from "@/lib/contract/onboarding";
import { expectBalancedBooks } from "@/test/support/service/ledger";
import { type Harness, startService } from "@/test/support/service/harness";
import { altered, cnpjEnding, cpfEnding } from "@/test/support/service/conformance";

const CREATE = "/v1/bank-accounts/create";
const DELAY_MS = 4_000;
const personBody = personRequest(cpfEnding("789"));
const companyBody = companyRequest(cnpjEnding("678"));
const bodies = { PF: personBody, PJ: companyBody };

let service: Harness;
beforeEach(async () => {
  service = await startService();
});
afterEach(() => expectBalancedBooks(service.call().db));

const create = (body: unknown) => service.send("POST", CREATE, { body });
const request = async (body: unknown) => AccountRequested.parse((await create(body)).body).data.body.onBoardingId;
const checked = async (id: string) =>
  (await service.send("GET", `/v1/bank-accounts/checkOnboarding?onBoardingId=${id}`)).body;
const statusOf = async (id: string) => OnboardingRecord.parse(await checked(id)).data.status;

test.each([
  ["PF", "person.email"],
  ["PF", "person.address.complement"],
  ["PJ", "legalPerson.businessEmail"],
  ["PJ", "legalPerson.contactNumber"],
  ["PJ", "legalPerson.businessAddress"],
  ["PJ", "legalPerson.owner.0.fullName"],
] as const)("accepts in a %s that the optional %s is left out", async (kind, field) => {
  expect((await create(altered(bodies[kind], field))).status).toBe(200);
});

describe("the holder", () => {
  test.each([
    ["neither a person nor a company", altered(personBody, "person")],
    ["a person and a company", { ...companyBody, person: personBody.person }],
  ])("refuses a holder who is %s", async (_, body) => {
    expect((await create(body)).status).toBe(400);
  });

  test("accepts a holder beside the tenant's own application", async () => {
    const body = { ...personBody, application: "aurora" };
    const reply = await service.send("POST", CREATE, { body, headers: { "x-client-id": "" } });
    expect(reply.status).toBe(200);
  });
});

test("answers a request with PROCESSING and the id, in the status envelope", async () => {
  const { status, body } = await create(personBody);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    status: 200,
    httpCode: 200,
    data: { status: "PROCESSING", body: { onBoardingId: expect.stringMatching(/./) } },
  });
});

describe("the onboarding record", () => {
  const account = { accountId: null, branch: "", account: "", documentNumber: personBody.person.documentNumber };
  const envelope = { status: 200, httpCode: 200 };

  test("returns every documented field while PROCESSING, and no messages", async () => {
    const id = await request(personBody);
    expect(await checked(id)).toEqual({
      ...envelope,
      when: service.clock.now(),
      data: {
        status: "PROCESSING",
        body: { clientCode: "aurora", account, traceId: expect.stringMatching(/./), biometricUrl: null },
      },
    });
  });

  test("returns an account once CONFIRMED", async () => {
    const id = await request(personBody);
    await service.advance(DELAY_MS);
    const confirmed = {
      accountId: expect.stringMatching(/./),
      branch: expect.stringMatching(/^\d+$/),
      account: expect.stringMatching(/./),
    };
    expect(await checked(id)).toMatchObject({
      ...envelope,
      data: { status: "CONFIRMED", body: { clientCode: "aurora", account: { ...account, ...confirmed } } },
    });
  });

  test("returns documented messages and no account after an ERROR", async () => {
    const id = await request(personRequest(cpfEnding("004")));
    await service.advance(DELAY_MS);
    const message = {
      id: "onboarding-backgroundcheck",
      date: new Date(service.clock.now()).toISOString(),
      message: expect.stringMatching(/\p{L}/u),
      status: "proposal-reproved",
      actionRequired: true,
      url: expect.stringMatching(/^http/),
    };
    expect(await checked(id)).toMatchObject({
      data: { status: "ERROR", body: { account: { accountId: null, branch: "", account: "" }, messages: [message] } },
    });
  });

  test("ends an onboarding in ERROR hours after the request", async () => {
    const id = await request(personRequest(cpfEnding("003")));
    await service.advance(8 * 3_600_000);
    expect(await statusOf(id)).toBe("PROCESSING");
    await service.control("POST", `/sandbox/onboardings/${id}`, { status: "ERROR" });
    expect(await checked(id)).toMatchObject({
      data: { status: "ERROR", body: { messages: [{ id: "onboarding-backgroundcheck" }] } },
    });
  });
});

describe("the magic documents", () => {
  test.each([
    ["001", "ERROR"],
    ["002", "PROCESSING"],
    ["003", "PROCESSING"],
    ["004", "ERROR"],
    ["005", "CONFIRMED"],
  ])("ending in %s lead a person's and a company's request to %s", async (ending, outcome) => {
    const ids = [await request(personRequest(cpfEnding(ending))), await request(companyRequest(cnpjEnding(ending)))];
    await service.advance(DELAY_MS);
    for (const id of ids) expect(await statusOf(id)).toBe(outcome);
  });

  test("gives a link for biometrics, and confirms when it was visited", async () => {
    for (const body of [personRequest(cpfEnding("002")), companyRequest(cnpjEnding("002"))]) {
      const id = await request(body);
      await service.advance(DELAY_MS);
      const { biometricUrl } = OnboardingRecord.parse(await checked(id)).data.body;
      const { pathname } = new URL(biometricUrl ?? "");
      await service.app.request(pathname, { method: "HEAD" });
      expect(await statusOf(id)).toBe("PROCESSING");
      await service.app.request(pathname);
      expect(await statusOf(id)).toBe("CONFIRMED");
    }
  });
});

test("leaves a request to the control route when the provider is manual", async () => {
  service = await startService({ environment: { SERVICE_PROVIDER_DELAY_MS: "manual" } });
  const ids = [await request(personBody), await request(personRequest(cpfEnding("001")))];
  await service.advance(100 * DELAY_MS);
  for (const id of ids) expect(await statusOf(id)).toBe("PROCESSING");
  for (const id of ids) await service.control("POST", `/sandbox/onboardings/${id}`, { status: "CONFIRMED" });
  for (const id of ids) expect(await statusOf(id)).toBe("CONFIRMED");
});
