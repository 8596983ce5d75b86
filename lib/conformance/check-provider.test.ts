import { beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { completeCpf } from "@/lib/contract/document";
import { parseJson, stringifyJson } from "@/lib/contract/json";
import { openAccount, personRequest } from "@/test/support/service/accounts";
import { AURORA, type Harness, startService } from "@/test/support/service/harness";
import { wireTo } from "@/test/support/provider";
import { checkProvider } from "./check-provider";

let service: Harness;
let sent: string[] = [];
beforeEach(async () => {
  service = await startService();
  sent = [];
  const { accountId } = await openAccount(service, personRequest(completeCpf("529982247")));
  await service.control("POST", `/sandbox/bank-accounts/${accountId}/credit`, { amount: 10.5, type: "PIX" });
  const person = { name: "Ana Souza", birthDate: "07-05-1990", motherName: "Maria Souza" };
  const started = { backgroundcheckModel: "BASIC", vatNumber: completeCpf("300000500"), ...person };
  await service.send("POST", "/v1/kyc/person", { body: started });
  const made = await service.send("POST", "/v1/crypto/wallets", { body: { network: "EVM" } });
  const { address } = z.object({ data: z.object({ address: z.string() }) }).parse(made.body).data;
  await service.control("POST", "/sandbox/crypto/deposits", { network: "ETHEREUM", address, amount: "1.5" });
  await service.advance(60_000);
});

type Fields = Record<string, unknown>;
type Change = (path: string, body: Fields) => unknown;

/** The embedded service behind a proxy that changes its answers. */
const check = (change: Change = (_, body) => body) =>
  checkProvider({
    client: { clientId: AURORA.clientId, baseUrl: "http://service.test" },
    credentials: { clientSecret: AURORA.clientSecret },
    wire: wireTo(async (request) => {
      const { pathname } = new URL(request.url);
      sent.push(`${request.method} ${pathname}`);
      const response = await service.app.fetch(request);
      const body = z.record(z.string(), z.unknown()).parse(parseJson(await response.text()));
      return new Response(stringifyJson(response.ok ? change(pathname, body) : body), { status: response.status });
    }),
    now: () => new Date(service.app.service.clock.now()),
    sleep: async () => undefined,
  });

const differences = async (change?: Change) =>
  (await check(change)).flatMap(({ operation, differences: words }) => words.map((one) => `${operation}: ${one}`));

const Data = z.looseObject({ data: z.looseObject({}) });
const inData = (body: Fields, alter: (data: Fields) => Fields) => ({ ...body, data: alter(Data.parse(body).data) });

describe("the check of a provider", () => {
  it("finds no difference in the embedded service, and compares every shown answer", async () => {
    const checked = await check();
    expect(checked.flatMap(({ differences: words }) => words)).toEqual([]);
    expect(checked.filter(({ why }) => why === null).map(({ operation }) => operation)).toEqual([
      "POST /v1/authentication/oauth/access-token",
      "POST /v1/authentication/oauth/introspect",
      "GET /v1/kyc/list",
      "GET /v1/crypto/wallets",
      "GET /v1/crypto/wallets/{address}/balance",
      "GET /v1/crypto/wallets/{address}/history",
      "GET /v1/bank-accounts/checkOnboarding",
      "GET /v1/bank-accounts/balance",
      "GET /v1/bank-accounts/history",
      "GET /v1/bank-accounts/checkOnboarding no such onboarding",
      "GET /v1/webhooks without a client id",
      "GET /v1/webhooks without a token",
    ]);
  });

  it("sends nothing but GETs and the questions about its token", async () => {
    await check();
    expect(sent.filter((line) => !line.startsWith("GET "))).toEqual([
      "POST /v1/authentication/oauth/access-token",
      "POST /v1/authentication/oauth/introspect",
    ]);
    expect(sent.length).toBeLessThanOrEqual(60);
  });

  it("lists each field that is dropped, renamed or retyped", async () => {
    const found = await differences((path, body) => {
      if (path.endsWith("/balance") && path.includes("bank-accounts"))
        return inData(body, ({ balance, ...rest }) => ({ ...rest, saldo: balance, accountId: 7 }));
      if (path === "/v1/kyc/list") {
        const { result } = z.object({ result: z.array(z.looseObject({})) }).parse(body);
        return { page: 1, result: result.map(({ kycType: _type, ...one }) => ({ ...one, status: 3, tipo: "PF" })) };
      }
      if (path.endsWith("/access-token")) return { ...body, expires_in: "3600" };
      return body;
    });
    expect(found).toEqual([
      "POST /v1/authentication/oauth/access-token: expires_in is string instead of integer",
      "GET /v1/kyc/list: limit is missing (documented: number)",
      "GET /v1/kyc/list: result[].status is integer instead of string",
      "GET /v1/kyc/list: result[].kycType is missing (documented: string)",
      "GET /v1/kyc/list: result[].tipo is unknown (string)",
      "GET /v1/bank-accounts/balance: data.accountId is integer instead of string",
      "GET /v1/bank-accounts/balance: data.balance is missing (documented: number)",
      "GET /v1/bank-accounts/balance: data.saldo is unknown (number)",
    ]);
  });

  it("says why an operation was not compared", async () => {
    const checked = await check((path, body) => (path.endsWith("getAccounts") ? { data: { accounts: [] } } : body));
    expect(checked.find(({ operation }) => operation.endsWith("/balance") && operation.includes("bank"))).toMatchObject(
      {
        compared: 0,
        why: "no account was found to ask about",
      },
    );
    expect(checked.find(({ operation }) => operation.includes("otc"))?.why).toContain("needs an id");
  });
});
