import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { completeCnpj, completeCpf } from "@/lib/contract/document";
import { AccountRequested, OnboardingRecord } from "@/lib/contract/onboarding";
import { expectBalancedBooks } from "@/test/support/service/ledger";
import { BOREAL, type Harness, startService } from "@/test/support/service/harness";
import { companyRequest, personRequest } from "@/test/support/service/accounts";

const DELAY_MS = 4_000;
let service: Harness;

beforeEach(async () => {
  service = await startService();
});
afterEach(() => expectBalancedBooks(service.call().db));

const create = (body: unknown, options = {}) => service.send("POST", "/v1/bank-accounts/create", { body, ...options });

async function request(body: unknown): Promise<string> {
  return AccountRequested.parse((await create(body)).body).data.body.onBoardingId;
}

async function check(idOrDocument: string) {
  const { body } = await service.send("GET", `/v1/bank-accounts/checkOnboarding?onBoardingId=${idOrDocument}`);
  return OnboardingRecord.parse(body).data;
}

async function events() {
  const { body } = await service.control("GET", "/sandbox/deliveries?clientId=aurora");
  return JSON.stringify(body).match(/onboarding-\w+(?=")/g) ?? [];
}

const cpfEnding = (digits: string) => completeCpf(`123456${digits}`);

describe("a request for an account", () => {
  it("keeps a request PROCESSING until the delay ends, then CONFIRMED", async () => {
    const id = await request(personRequest(cpfEnding("789")));
    expect(await check(id)).toMatchObject({
      status: "PROCESSING",
      body: { clientCode: "aurora", account: { accountId: null, branch: "", account: "" } },
    });
    await service.advance(DELAY_MS - 1);
    expect((await check(id)).status).toBe("PROCESSING");
    await service.advance(1);
    const { status, body } = await check(id);
    expect(status).toBe("CONFIRMED");
    expect(body.account).toMatchObject({ branch: "0001", account: expect.stringMatching(/^\d+-\d$/) });
    expect(body.account.accountId).toBeTypeOf("string");
    expect(body).not.toHaveProperty("messages");
    expect(await events()).toEqual(["onboarding-create", "onboarding-create"]);
  });

  it("finds a request by the holder's document and by its id", async () => {
    const document = completeCnpj("12ABC345000A");
    const id = await request(companyRequest(document));
    expect(await check(document)).toEqual(await check(id));
  });

  it.each([completeCpf("123456789"), completeCnpj("123456780001")])(
    "refuses a request for %s with 409 while the document has one",
    async (document) => {
      const body = document.length === 11 ? personRequest(document) : companyRequest(document);
      await request(body);
      expect((await create(body)).status).toBe(409);
      await service.advance(DELAY_MS);
      expect((await create(body)).status).toBe(409);
      expect((await create(body, { tenant: BOREAL })).status).toBe(200);
    },
  );

  it("accepts a request once when it arrives twenty times together", async () => {
    const body = personRequest(cpfEnding("789"));
    const replies = await Promise.all(Array.from({ length: 20 }, () => create(body)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(19);
  });

  it.each([
    ["person.documentNumber", personRequest("12345678900")],
    [
      "person.birthDate",
      {
        ...personRequest(cpfEnding("789")),
        person: { ...personRequest(cpfEnding("789")).person, birthDate: "1990-02-30" },
      },
    ],
    [
      "legalPerson.owner",
      {
        ...companyRequest(completeCnpj("123456780001")),
        legalPerson: { ...companyRequest(completeCnpj("123456780001")).legalPerson, owner: [] },
      },
    ],
    [
      "bankDocuments.socialContractLink",
      { ...companyRequest(completeCnpj("123456780001")), bankDocuments: personRequest(cpfEnding("789")).bankDocuments },
    ],
    ["transactionPassword", { ...personRequest(cpfEnding("789")), transactionPassword: undefined }],
    ["person", { ...companyRequest(completeCnpj("123456780001")), person: personRequest(cpfEnding("789")).person }],
  ])("answers 400 to a bad %s and names it", async (field, body) => {
    const { status, body: answer } = await create(body);
    expect(status).toBe(400);
    expect(answer).toEqual({ message: expect.stringMatching(new RegExp(`^${field}: `)) });
  });

  it("stores no transaction password", async () => {
    await request({ ...personRequest(cpfEnding("789")), transactionPassword: "canary-password" });
    const { db } = service.call();
    const { onboarding } = await import("@/service/store/schema");
    expect(JSON.stringify(await db.select().from(onboarding))).not.toContain("canary-password");
  });
});

describe("the simulated provider", () => {
  it("refuses a CPF ending in 001 with its reason, and the document may retry", async () => {
    const id = await request(personRequest(cpfEnding("001")));
    await service.advance(DELAY_MS);
    const { status, body } = await check(id);
    expect(status).toBe("ERROR");
    expect(body.account.accountId).toBeNull();
    expect(body.messages).toMatchObject([
      { id: "onboarding-backgroundcheck", status: "proposal-reproved", actionRequired: false },
    ]);
    expect(await events()).toEqual(expect.arrayContaining(["onboarding-create", "onboarding-backgroundcheck"]));
    expect((await create(personRequest(cpfEnding("001")))).status).toBe(200);
  });

  it("asks a CPF ending in 002 for biometrics and confirms once the link is visited", async () => {
    const id = await request(personRequest(cpfEnding("002")));
    await service.advance(DELAY_MS);
    const waiting = await check(id);
    expect(waiting.status).toBe("PROCESSING");
    expect(waiting.body.messages).toMatchObject([
      { id: "onboarding-biometrics", actionRequired: true, url: waiting.body.biometricUrl },
    ]);
    expect(await events()).toEqual(expect.arrayContaining(["onboarding-create", "onboarding-biometrics"]));
    const { pathname } = new URL(waiting.body.biometricUrl ?? "");
    expect((await service.app.request(pathname, { method: "HEAD" })).status).toBe(200);
    expect((await check(id)).status).toBe("PROCESSING");
    const page = await service.app.request(pathname);
    expect([page.status, page.headers.get("content-type")]).toEqual([200, expect.stringContaining("text/html")]);
    const confirmed = await check(id);
    expect(confirmed).toMatchObject({ status: "CONFIRMED", body: { biometricUrl: null } });
    expect(confirmed.body).not.toHaveProperty("messages");
    expect((await service.app.request(pathname)).status).toBe(200);
  });

  it("leaves a CPF ending in 003 PROCESSING", async () => {
    const id = await request(personRequest(cpfEnding("003")));
    await service.advance(30 * DELAY_MS);
    expect((await check(id)).status).toBe("PROCESSING");
  });

  it("refuses a CNPJ whose root ends in 004, and links to a page that exists", async () => {
    const id = await request(companyRequest(completeCnpj("123450040001")));
    await service.advance(DELAY_MS);
    const { status, body } = await check(id);
    const [message] = body.messages ?? [];
    expect([status, message?.actionRequired]).toEqual(["ERROR", true]);
    expect((await service.app.request(new URL(message?.url ?? "").pathname)).status).toBe(200);
  });

  it("follows a CNPJ's root, never its branch", async () => {
    const id = await request(companyRequest(completeCnpj("123456780001")));
    await service.advance(DELAY_MS);
    expect((await check(id)).status).toBe("CONFIRMED");
  });

  it("still decides after a restart", async () => {
    const id = await request(personRequest(cpfEnding("789")));
    service = await service.restart();
    await service.advance(DELAY_MS);
    expect((await check(id)).status).toBe("CONFIRMED");
  });
});

describe("an unknown onboarding", () => {
  const missing = { message: "banking account was not found for the onboarding id" };

  it("answers 404 with the interface's message, for another tenant's too", async () => {
    const id = await request(personRequest(cpfEnding("789")));
    const path = "/v1/bank-accounts/checkOnboarding?onBoardingId=";
    expect(await service.send("GET", `${path}nobody`)).toMatchObject({ status: 404, body: missing });
    expect(await service.send("GET", `${path}${id}`, { tenant: BOREAL })).toMatchObject({ status: 404, body: missing });
  });

  it("answers 400 when the parameter has a lower-case b", async () => {
    expect((await service.send("GET", "/v1/bank-accounts/checkOnboarding?onboardingId=x")).status).toBe(400);
  });

  it("shows no biometrics page for an unknown onboarding", async () => {
    for (const method of ["GET", "HEAD"]) {
      expect((await service.app.request("/biometrics/nobody", { method })).status).toBe(404);
    }
  });
});

const steer = (id: string, body: unknown) => service.control("POST", `/sandbox/onboardings/${id}`, body);

describe("the control route of onboardings", () => {
  it("confirms at once, and leaves a decided request unchanged", async () => {
    const id = await request(personRequest(cpfEnding("003")));
    expect((await steer(id, { status: "CONFIRMED" })).status).toBe(200);
    expect((await check(id)).status).toBe("CONFIRMED");
    expect((await steer(id, { status: "ERROR" })).status).toBe(409);
    await service.advance(DELAY_MS);
    expect((await check(id)).status).toBe("CONFIRMED");
  });

  it("refuses with the given reasons, or with a default one", async () => {
    const one = await request(personRequest(cpfEnding("003")));
    const other = await request(personRequest(cpfEnding("789")));
    await steer(one, { status: "ERROR", messages: [{ message: "Documento vencido", actionRequired: true }] });
    await steer(other, { status: "ERROR" });
    expect((await check(one)).body.messages).toMatchObject([{ message: "Documento vencido", actionRequired: true }]);
    expect((await check(other)).body.messages).toHaveLength(1);
  });

  it("pushes an event each time the biometric URL is set or changed", async () => {
    const id = await request(personRequest(cpfEnding("003")));
    await steer(id, { biometricUrl: "https://bio.example/1" });
    await steer(id, { biometricUrl: "https://bio.example/1" });
    await steer(id, { biometricUrl: "https://bio.example/2" });
    expect((await check(id)).body.biometricUrl).toBe("https://bio.example/2");
    expect((await events()).filter((event) => event === "onboarding-biometrics")).toHaveLength(2);
  });

  it("answers 404 for an unknown onboarding", async () => {
    expect((await steer("nobody", { status: "CONFIRMED" })).status).toBe(404);
  });
});
