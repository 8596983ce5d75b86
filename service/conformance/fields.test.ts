import { beforeAll, describe, expect, test } from "vitest";
import { completeCnpj } from "@/lib/contract/document";
import { type Harness, startService } from "@/test/support/service/harness";
import { altered, commandExamples, cpfEnding, isTree } from "@/test/support/service/conformance";

const accounts = "/v1/bank-accounts";
const wallets = "/v1/crypto/wallets";
const documentNumber = cpfEnding("789");
const ofAccount = { accountId: "some-account", documentNumber };
const period = { initialDate: "2026-03-01", endDate: "2026-03-31" };

/** Each query with its required parameters and valid values. */
const QUERIES: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  [`${accounts}/checkOnboarding`, { onBoardingId: "some-id" }],
  [`${accounts}/balance`, ofAccount],
  [`${accounts}/history`, { ...ofAccount, ...period }],
  [`${accounts}/getTransactionById`, { transactionId: "some-transaction", documentNumber }],
  [`${accounts}/getAccounts`, period],
  [`${accounts}/getAccountInfoNaturalPerson`, ofAccount],
  [`${accounts}/getAccountInfoLegalPerson`, { ...ofAccount, documentNumber: completeCnpj("123456780001") }],
  [`${wallets}/some-address/balance`, { network: "ETHEREUM" }],
  [`${wallets}/some-address/history`, { network: "ETHEREUM" }],
  ["/v1/pix/getAccountInfoByPixKey", { pixKey: "someone@example.com" }],
];

const internal = { userId: "user-1", accountIdFrom: "one", accountIdTo: "other", amount: 10.5 };
const ted = {
  userId: "user-1",
  onBoardingId: "some-onboarding",
  idAccount: "one",
  document: documentNumber,
  accountCode: "12345-6",
  branchCode: "0001",
  institutionCode: 341,
  name: "Ana Souza",
  value: 10.5,
  bankAccountType: "CACC",
  institutionIspb: "60701190",
};
const transfer = {
  network: "ETHEREUM",
  fromAddress: "0x52908400098527886E0F7030069857D2E4169EE7",
  to: "0x8617E340B3D01FA5F11F306F4090FD50E238070D",
  amount: "0.5",
};

/** Each command that names something of the tenant, with the fields that it requires: what they name does not exist. */
const COMMANDS = commandExamples()
  .filter(({ method, refusals }) => method === "POST" && refusals.includes(404))
  .map(({ path, which, input, example }) => {
    if (!isTree(example)) throw new Error(`${path} takes no fields`);
    const required = Object.keys(example).filter((name) => !input.safeParse(altered(example, name)).success);
    return [path, which, Object.fromEntries(required.map((name) => [name, example[name]]))] as const;
  });

// No record exists, so nothing changes.
let service: Harness;
beforeAll(async () => {
  service = await startService();
});

const get = (path: string, query: Readonly<Record<string, string>>) =>
  service.send("GET", `${path}?${new URLSearchParams(query)}`);
const named = (field: string) => ({ message: expect.stringMatching(new RegExp(`^${field}: `)) });

describe("a query", () => {
  test.each(QUERIES.flatMap(([path, query]) => Object.keys(query).map((name) => [path, name, query] as const)))(
    "%s misses %s by its name when it is absent or empty",
    async (path, name, query) => {
      const { [name]: _, ...others } = query;
      expect(await get(path, others)).toMatchObject({ status: 400, body: { message: `${name}: is required` } });
      expect(await get(path, { ...query, [name]: "" })).toMatchObject({ status: 400, body: named(name) });
    },
  );

  test.each(QUERIES.filter(([path]) => !path.endsWith("getAccounts")))(
    "%s is 404 for an unknown id",
    async (path, query) => {
      const { status, body } = await get(path, query);
      expect([status, Object.keys(Object(body))]).toEqual([404, ["message"]]);
    },
  );

  test("returns an empty page for accounts of an empty period", async () => {
    const { body } = await get(`${accounts}/getAccounts`, period);
    expect(body).toMatchObject({ status: 200, httpCode: 200, data: { accounts: [], page: 1, totalPages: 1 } });
  });

  test.each(QUERIES.filter(([, query]) => "initialDate" in query))(
    "%s takes real days in order, and whole numbers for page and limit",
    async (path, query) => {
      for (const wrong of ["01-03-2026", "2026-3-1", "2026-02-29", "2026-03-01T00:00:00Z"])
        expect(await get(path, { ...query, initialDate: wrong })).toMatchObject({
          status: 400,
          body: named("initialDate"),
        });
      expect(await get(path, { ...query, endDate: "2026-02-28" })).toMatchObject({
        status: 400,
        body: named("endDate"),
      });
      for (const wrong of ["0", "501", "-1", "1.5", "ten", ""])
        expect(await get(path, { ...query, limit: wrong })).toMatchObject({ status: 400, body: named("limit") });
      for (const wrong of ["0", "-1", "x"])
        expect(await get(path, { ...query, page: wrong })).toMatchObject({ status: 400, body: named("page") });
      for (const limit of ["1", "500"]) expect([200, 404]).toContain((await get(path, { ...query, limit })).status);
    },
  );

  test.each(QUERIES.filter(([, query]) => "documentNumber" in query))(
    "%s takes a document of digits alone, with right check digits",
    async (path, query) => {
      for (const wrong of ["12345678900", "123.456.789-09", "1", "11111111111"])
        expect(await get(path, { ...query, documentNumber: wrong })).toMatchObject({
          status: 400,
          body: named("documentNumber"),
        });
    },
  );

  test("takes a CPF for a person's information, and a CNPJ for a company's", async () => {
    const cpf = documentNumber;
    const cnpj = completeCnpj("123456780001");
    const wrong = [
      [`${accounts}/getAccountInfoNaturalPerson`, cnpj],
      [`${accounts}/getAccountInfoLegalPerson`, cpf],
    ] as const;
    for (const [path, other] of wrong)
      expect(await get(path, { ...ofAccount, documentNumber: other })).toMatchObject({
        status: 400,
        body: named("documentNumber"),
      });
  });
});

describe("a command", () => {
  test.each(
    COMMANDS.flatMap(([path, which, body]) => Object.keys(body).map((name) => [path, which, name, body] as const)),
  )("%s, %s, misses %s by its name", async (path, _which, name, body) => {
    const reply = await service.send("POST", path, { body: altered(body, name) });
    expect(reply).toMatchObject({ status: 400, body: { message: `${name}: is required` } });
  });

  test.each(COMMANDS)("%s, %s, that names nothing of the tenant is 404", async (path, _which, body) => {
    const reply = await service.send("POST", path, { body });
    expect([reply.status, Object.keys(Object(reply.body))]).toEqual([404, ["message"]]);
  });
});

const withAmount = (digits: string) => JSON.stringify(internal).replace("10.5", digits);
const payReais = async (digits: string) =>
  (await service.send("POST", `${accounts}/generateInternalTransferRequest`, { body: withAmount(digits) })).status;
const payCrypto = async (amount: unknown) =>
  (await service.send("POST", "/v1/crypto/transfer", { body: { ...transfer, amount } })).status;
const sendTed = async (changes: Readonly<Record<string, unknown>>) =>
  (await service.send("POST", `${accounts}/generateExternalTransferRequest`, { body: { ...ted, ...changes } })).status;

describe("an amount in reais", () => {
  // The accounts do not exist: 404 shows that the amount was accepted.
  test.each(["0.01", "10", "10.5", "10.50", "1e2", "999999999999999.99"])(
    "accepts an amount in reais written %s",
    async (digits) => {
      expect(await payReais(digits)).toBe(404);
    },
  );

  test.each([
    "0",
    "-0",
    "0.00",
    "-1",
    "0.001",
    "0.30000000000000004",
    "1e-3",
    "1e30",
    '"10.00"',
    "null",
    "true",
    "[1]",
    "{}",
  ])("refuses an amount in reais written %s", async (digits) => {
    expect(await payReais(digits)).toBe(400);
  });
});

describe("an amount of crypto", () => {
  test.each(["1", "0.5", "0.000000000000000001", "123456789012345678901234567890"])(
    "accepts an amount of crypto of %j",
    async (amount) => {
      expect(await payCrypto(amount)).toBe(404);
    },
  );

  test.each([1, "0", "0.0", "-1", "+1", "1e3", ".5", "1.", "01", "1,5", "0x10", " 1", "", null, "NaN"])(
    "refuses an amount of crypto of %j",
    async (amount) => {
      expect(await payCrypto(amount)).toBe(400);
    },
  );
});

describe("the choices of a TED", () => {
  test("accepts both account types, numeric bank codes, and CPF or CNPJ recipients", async () => {
    for (const right of [
      { bankAccountType: "SVGS" },
      { institutionCode: 0 },
      { document: completeCnpj("123456780001") },
    ])
      expect(await sendTed(right)).toBe(404);
    for (const wrong of [
      { bankAccountType: "cacc" },
      { institutionCode: "341" },
      { institutionCode: 1.5 },
      { document: "1" },
    ])
      expect(await sendTed(wrong)).toBe(400);
  });
});
