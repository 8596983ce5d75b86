import { beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { watchActor } from "@/lib/permission/grant";
import { completeCpf } from "@/lib/contract/document";
import { ManualDecision } from "@/lib/contract/kyc";
import { AURORA, type Harness } from "@/test/support/service/harness";
import type { Provider } from "./client";
import * as operations from "./operations";
import { type BankAtService, givenBankAtService } from "@/test/support/provider-at-service";

const READER = watchActor("wallets", AURORA.clientId, "accounts:read");

let at: BankAtService;
let service: Harness;
let bank: Provider;

beforeEach(async () => {
  at = await givenBankAtService();
  ({ service, bank } = at);
});

const listKyc = async () => (await bank.get(READER, operations.listKyc)).answer;
const tokenCalls = () => at.reached.filter((call) => call.endsWith("/access-token")).length;
const fault = (plan: object) =>
  service.control("POST", "/sandbox/faults", { method: "GET", path: "/v1/kyc/list", times: 1, ...plan });

const CPF = completeCpf("529982247");
const Started = z.object({ data: z.object({ kycUUID: z.string() }) });

async function startKyc(): Promise<string> {
  const holder = { vatNumber: CPF, name: "Ana Souza", birthDate: "07-05-1990", motherName: "Maria Souza" };
  const started = await service.send("POST", "/v1/kyc/person", { body: { backgroundcheckModel: "BASIC", ...holder } });
  return Started.parse(started.body).data.kycUUID;
}

describe("the tenant's token at the service", () => {
  it("requests a token once for fifty concurrent calls", async () => {
    const pages = Array.from({ length: 50 }, (_, index) => index + 1);
    await Promise.all(pages.map((page) => bank.get(READER, operations.listKyc, { query: { page } })));
    expect([tokenCalls(), at.reached.length]).toEqual([1, 51]);
  });

  it("renews a token that expired on the service's clock", async () => {
    await listKyc();
    await service.advance(3_600_000);
    await listKyc();
    expect(tokenCalls()).toBe(2);
  });

  it("renews a revoked token once, and the call succeeds", async () => {
    await listKyc();
    const basic = `Basic ${Buffer.from(`${AURORA.clientId}:${AURORA.clientSecret}`).toString("base64")}`;
    await service.app.request("/v1/authentication/oauth/revoke", {
      method: "POST",
      headers: { authorization: basic, token: at.authorization.slice("Bearer ".length) },
    });
    await expect(listKyc()).resolves.toMatchObject({ result: [] });
    expect(tokenCalls()).toBe(2);
  });

  it("fails with the wrong secret after one call", async () => {
    const stranger = at.connect({ ...AURORA, clientSecret: "wrong" });
    await expect(stranger.get(READER, operations.listKyc)).rejects.toMatchObject({ details: { status: 401 } });
    expect(at.reached).toEqual(["POST /v1/authentication/oauth/access-token"]);
  });
});

describe("a service in trouble", () => {
  it("retries until a failing service recovers", async () => {
    await fault({ status: 503, times: 2 });
    await expect(listKyc()).resolves.toMatchObject({ result: [] });
  });

  it("retries after the time that the service gives", async () => {
    await fault({ status: 429, headers: { "Retry-After": "9" } });
    const before = service.app.service.clock.now();
    await listKyc();
    expect(service.app.service.clock.now() - before).toBe(9000);
  });

  it("does not retry when the service answers with a page", async () => {
    await fault({ status: 200, headers: { "content-type": "text/html" }, body: "<html></html>" });
    await expect(listKyc()).rejects.toMatchObject({ kind: "malformed" });
  });

  it.each([
    ["SUSPENDED", "ACCOUNT_SUSPENDED"],
    ["RESTRICTED", "ACCOUNT_RESTRICTED"],
  ])("refuses a decision by name for the tenant %s: %s", async (status, code) => {
    const kycUUID = await startKyc();
    await service.control("PUT", "/sandbox/tenants/aurora/billing", { status });
    const decision = ManualDecision.parse({ kycUUID, decision: "APPROVED", reason: "Conferido." });
    await expect(bank.post(READER, operations.decideKyc, { body: decision })).rejects.toMatchObject({
      kind: "restricted",
      details: { code },
    });
  });
});
