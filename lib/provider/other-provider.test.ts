import { beforeEach, expect, test } from "vitest";
import { Wallets } from "@/lib/contract/crypto";
import { completeCpf } from "@/lib/contract/document";
import { parseJson } from "@/lib/contract/json";
import { KycList } from "@/lib/contract/kyc";
import { OnboardingRecord } from "@/lib/contract/onboarding";
import { openAccount, personRequest } from "@/test/support/service/accounts";
import { AURORA, type Harness, startService } from "@/test/support/service/harness";
import { type Manner, otherProvider, otherWords, strangest } from "@/test/other-provider";

const CPF = completeCpf("529982247");
const cpf = (nth: number) => completeCpf(String(300_000_500 + nth));

let service: Harness;
let bearer: string;
beforeEach(async () => {
  service = await startService();
  const basic = Buffer.from(`${AURORA.clientId}:${AURORA.clientSecret}`).toString("base64");
  const token = await service.app.request("/v1/authentication/oauth/access-token", {
    method: "POST",
    headers: { Authorization: `Basic ${basic}` },
  });
  bearer = `Bearer ${String(Object(await token.json()).access_token)}`;
});

async function ask(manner: Manner, path: string): Promise<{ status: number; text: string; body: unknown }> {
  const headers = { Authorization: bearer, "x-client-id": AURORA.clientId };
  const provider = otherProvider(service.app.fetch, manner);
  const response = await provider(new Request(`http://service.test${path}`, { headers }));
  const text = Buffer.from(await response.arrayBuffer()).toString("utf8");
  return { status: response.status, text, body: parseJson(text.replace("\uFEFF", "")) };
}

async function startKyc(nth: number, documentscopyFlag = false) {
  const person = { name: "Ana Souza", birthDate: "07-05-1990", motherName: "Maria Souza" };
  const body = { backgroundcheckModel: "BASIC", vatNumber: cpf(nth), documentscopyFlag, ...person };
  expect(await service.send("POST", "/v1/kyc/person", { body })).toMatchObject({ status: 200 });
}

async function kycPage(manner: Manner["kyc"], query = "") {
  return KycList.parse((await ask({ ...(manner && { kyc: manner }) }, `/v1/kyc/list${query}`)).body);
}

const masksOf = ({ result }: KycList) => result.map(({ vatNumber }) => vatNumber);

async function credited(...reais: number[]) {
  const { accountId } = await openAccount(service, personRequest(CPF));
  for (const amount of reais) {
    await service.control("POST", `/sandbox/bank-accounts/${accountId}/credit`, { amount, type: "PIX" });
    await service.advance(1000);
  }
  return `accountId=${accountId}&documentNumber=${CPF}`;
}

async function askStrangest(path: string): Promise<unknown> {
  const { text, body } = await ask(strangest, path);
  expect(text.startsWith("\uFEFF")).toBe(true);
  expect(text).toContain("versaoRegistro");
  return body;
}

const PERIOD = "initialDate=2026-01-01&endDate=2026-12-31";

test("answers as the service does without options", async () => {
  await startKyc(1);
  const { body } = await service.send("GET", "/v1/kyc/list");
  expect((await ask({}, "/v1/kyc/list")).body).toEqual(body);
});

test("pages from its own first number, with its own size", async () => {
  for (const nth of [1, 2, 3]) await startKyc(nth);
  const all = masksOf(await kycPage(undefined));
  const manner = { firstPage: 0, pageSize: 2 } as const;
  expect(masksOf(await kycPage(manner))).toEqual(all.slice(0, 2));
  expect(await kycPage(manner, "?page=1&limit=100")).toMatchObject({ page: 1, limit: 2 });
  expect(masksOf(await kycPage(manner, "?page=1&limit=100"))).toEqual(all.slice(2));
  expect(masksOf(await kycPage({ paging: "first-page", pageSize: 2 }, "?page=2"))).toEqual(all.slice(0, 2));
  expect(await kycPage({ paging: "first-page", pageSize: 2 }, "?page=2")).toMatchObject({ page: 1 });
  expect(await kycPage({ paging: "echoed", pageSize: 2 }, "?page=2")).toMatchObject({ page: 2 });
  expect(masksOf(await kycPage({ paging: "everything" }, "?page=2&limit=1"))).toEqual(all);
  expect(masksOf(await kycPage({ order: "oldest" }))).toEqual(all.toReversed());
});

test("shuffles the same records, each time alike", async () => {
  for (const nth of [1, 2, 3, 4, 5, 6]) await startKyc(nth);
  const all = masksOf(await kycPage(undefined));
  const shuffled = masksOf(await kycPage({ order: { shuffledBy: "seed" } }));
  expect(shuffled).not.toEqual(all);
  expect(shuffled.toSorted()).toEqual(all.toSorted());
  expect(masksOf(await kycPage({ order: { shuffledBy: "seed" } }))).toEqual(shuffled);
});

test("gives a document-scopy case one record per process, even across two pages", async () => {
  await startKyc(1, true);
  await service.advance(60_000);
  const pages = await Promise.all(
    [1, 2].map((page) => kycPage({ records: "per-process", pageSize: 1 }, `?page=${page}`)),
  );
  const [scopy, check] = pages.flatMap(({ result }) => result);
  expect(scopy).toMatchObject({ process: "kyc-documentscopy", kycUUID: check?.kycUUID });
  expect(check).toMatchObject({ process: "kyc-backgroundcheck", status: "APPROVED" });
});

test("states direction, day and amounts in its own words", async () => {
  const account = await credited(150.75);
  const directions = { CREDIT: "IN", DEBIT: "OUT" };
  const history = { directions, dates: "day", firstPage: 0 } as const;
  const { body } = await ask({ history, money: "noise" }, `/v1/bank-accounts/history?${account}&${PERIOD}`);
  const said = { amount: 150.750_000_000_000_03, direction: "IN", date: "2026-03-10" };
  expect(body).toMatchObject({ data: { page: 0, totalPages: 1, transactions: [said] } });
  const text = await ask(
    { money: "text", history: { directions: "absent" } },
    `/v1/bank-accounts/history?${account}&${PERIOD}`,
  );
  expect(text.body).toMatchObject({ data: { transactions: [{ amount: "150.75" }] } });
  expect(text.text).not.toContain("direction");
  expect((await ask({ money: "text" }, `/v1/bank-accounts/balance?${account}`)).body).toMatchObject({
    data: { balance: "150.75", blockedBalance: "0" },
  });
});

test("renames, translates and nests undocumented fields", async () => {
  const account = await credited();
  const path = `/v1/bank-accounts/getAccountInfoNaturalPerson?${account}`;
  const portuguese = { undocumented: { names: "portuguese", wrapping: "nested" } } as const;
  expect((await ask(portuguese, path)).body).toMatchObject({
    body: {
      resposta: { dados: { situacao: "ativa", id_conta: expect.any(String), pessoa: { nome_mae: "Maria Souza" } } },
    },
  });
  const list = `/v1/bank-accounts/getAccounts?${PERIOD}`;
  const bare = { undocumented: { names: "snake_case", wrapping: "bare" } } as const;
  expect((await ask(bare, list)).body).toMatchObject([{ onboarding_id: expect.any(String), account_status: "ACTIVE" }]);
  expect((await ask(bare, "/v1/webhooks")).body).toMatchObject([{ status: "active" }]);
  expect(otherWords({ onBoardingId: "o-1", status: "ERROR" }, portuguese)).toMatchObject({
    body: { resposta: { dados: { id_abertura: "o-1", situacao: "recusada" } } },
  });
});

test("answers an error as the interface documents it", async () => {
  expect(await ask(strangest, "/v1/bank-accounts/checkOnboarding?onBoardingId=none")).toMatchObject({
    status: 404,
    body: { message: expect.any(String) },
  });
});

test("keeps every documented field in its strangest form", async () => {
  const account = await credited(10, 20.1);
  for (const nth of [1, 2, 3]) await startKyc(nth, nth === 1);
  for (const network of ["EVM", "BTC"]) await service.send("POST", "/v1/crypto/wallets", { body: { network } });
  expect(Wallets.parse(await askStrangest("/v1/crypto/wallets")).data).toHaveLength(2);
  expect(KycList.parse(await askStrangest("/v1/kyc/list")).result).toHaveLength(3);
  OnboardingRecord.parse(await askStrangest(`/v1/bank-accounts/checkOnboarding?onBoardingId=${CPF}`));
  expect(await askStrangest(`/v1/bank-accounts/balance?${account}`)).toMatchObject({
    data: { balance: expect.closeTo(30.1, 9) },
  });
  expect(await askStrangest(`/v1/bank-accounts/history?${account}&${PERIOD}`)).toMatchObject({
    data: { page: 0, totalPages: 1, transactions: [{ direction: "ENTRADA" }, { amount: 20.100_000_000_000_005 }] },
  });
});
