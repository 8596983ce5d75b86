import { afterEach, beforeAll, describe, expect, test } from "vitest";
import type { GatewayErrorCode } from "@/lib/contract/errors";
import { expectBalancedBooks } from "@/test/support/service/ledger";
import { type Account, INTERNAL, openAccount, transfer } from "@/test/support/service/transfers";
import type { Tenant } from "@/service/tenants/load-tenants";
import { AURORA, type Harness, startService } from "@/test/support/service/harness";
import { person } from "@/test/support/service/conformance";

const SUSPENDED: Tenant = { ...AURORA, clientId: "suspended", billingStatus: "SUSPENDED" };
const RESTRICTED: Tenant = { ...AURORA, clientId: "restricted", billingStatus: "RESTRICTED" };
const BANKLESS: Tenant = { ...AURORA, clientId: "bankless", enabledProducts: ["KYC"] };
const BARRED: Tenant = { ...AURORA, clientId: "barred", allowedOperations: ["GET /v1/kyc/list"] };
const BALANCE = "/v1/bank-accounts/balance?accountId=nobody&documentNumber=12345678909";

type Reply = Awaited<ReturnType<Harness["send"]>>;

let service: Harness;
let accounts: readonly [Account, Account];
beforeAll(async () => {
  service = await startService({ tenants: [AURORA, SUSPENDED, RESTRICTED, BANKLESS, BARRED] });
  accounts = [await openAccount(service, { reais: 3_000_000 }), await openAccount(service)];
});

afterEach(() => expectBalancedBooks(service.call().db));

const pay = (amount: number, fields = {}) => transfer(service, accounts, { amount, fields });
const fieldsOf = ({ body }: Reply) => Object.keys(Object(body)).toSorted();
const send = (method: string, path: string, request: Parameters<Harness["send"]>[2] = {}) =>
  service.send(method, path, request);

const BUSINESS: readonly (readonly [number, string, () => Promise<Reply>])[] = [
  [400, "a field that is missing", () => send("POST", INTERNAL, { body: {} })],
  [400, "an amount that is none", () => pay(-1)],
  [400, "a body that is no JSON", () => send("POST", INTERNAL, { body: "{" })],
  [401, "a token that is none", () => send("GET", BALANCE, { headers: { Authorization: "Bearer x" } })],
  [404, "an account that is not there", () => send("GET", BALANCE)],
  [404, "a path that is not there", () => send("GET", "/v1/nothing")],
  [405, "a method that is not supported", () => send("DELETE", "/v1/kyc/list")],
  [409, "a document that has an account", () => send("POST", "/v1/bank-accounts/create", { body: repeated() })],
  [413, "a body that is too large", () => send("POST", INTERNAL, { body: " ".repeat(1_048_577) })],
  [422, "more than the balance", () => pay(4_000_000)],
];

type Refusal = { status: number; error: GatewayErrorCode; extra?: readonly string[]; cause: () => Promise<Reply> };
const GATEWAY: readonly Refusal[] = [
  { status: 400, error: "MISSING_CLIENT_ID", cause: () => send("GET", BALANCE, { headers: { "x-client-id": "" } }) },
  { status: 402, error: "ACCOUNT_SUSPENDED", cause: () => send("GET", BALANCE, { tenant: SUSPENDED }) },
  { status: 402, error: "ACCOUNT_RESTRICTED", cause: () => send("POST", INTERNAL, { tenant: RESTRICTED, body: {} }) },
  { status: 403, error: "PRODUCT_NOT_ENABLED", cause: () => send("GET", BALANCE, { tenant: BANKLESS }) },
  { status: 403, error: "OPERATION_NOT_ALLOWED", cause: () => send("GET", BALANCE, { tenant: BARRED }) },
  { status: 403, error: "TRANSACTION_BLOCKED", extra: ["antifraudId"], cause: () => pay(1_000_000) },
  {
    status: 202,
    error: "TRANSACTION_PENDING_APPROVAL",
    extra: ["antifraudId", "pendingExpiresAt"],
    cause: () => pay(10_000),
  },
];

/** The request for the account that the first one holds. */
function repeated() {
  const documentLinks = ["documentLink", "documentBackLink", "selfieLink"].map((name) => [
    name,
    "https://files.example/x",
  ]);
  return {
    email: "ana@example.com",
    transactionPassword: "123456",
    bankDocuments: Object.fromEntries(documentLinks),
    person: {
      fullName: "Ana",
      documentNumber: accounts[0].documentNumber,
      phoneNumber: "+5511999990000",
      motherName: "Maria",
      birthDate: "07-05-1990",
      isPoliticallyExposedPerson: false,
      address: {},
    },
  };
}

describe("an error of the business or of validation", () => {
  test.each(BUSINESS)("answers %i with a message and nothing else: %s", async (status, _, cause) => {
    const reply = await cause();
    expect(reply).toMatchObject({ status, body: { message: expect.stringMatching(/\w/) } });
    expect(fieldsOf(reply)).toEqual(["message"]);
    expect(reply.headers.get("content-type")).toMatch(/^application\/json/);
  });
});

describe("an error of the gateway", () => {
  test.each(GATEWAY)("$error comes with $status, a message, and its own fields", async (refusal) => {
    const { status, error, extra = [], cause } = refusal;
    const reply = await cause();
    expect(reply).toMatchObject({ status, body: { error, message: expect.stringMatching(/\w/) } });
    expect(fieldsOf(reply)).toEqual(["error", "message", ...extra].toSorted());
  });
});

test("carries no numeric code in any error", async () => {
  const replies = await Promise.all([
    ...BUSINESS.map(([, , cause]) => cause()),
    ...GATEWAY.map(({ cause }) => cause()),
  ]);
  for (const { body } of replies) expect(JSON.stringify(body)).not.toMatch(/\bE-?\d{3,}|"code"/);
});

test.each([204, 412, 500, 503])("answers %i, which it never causes itself, by a planned fault", async (status) => {
  const body = { error: "SECURITY_SERVICE_UNAVAILABLE", message: "Antifraud is away" };
  const fault = { method: "POST", path: "/v1/kyc/person", status, body, times: 1 };
  await service.control("POST", "/sandbox/faults", fault);
  const reply = await send("POST", "/v1/kyc/person", { body: person });
  expect(reply).toMatchObject({ status, body: status === 204 ? undefined : body });
  expect((await send("POST", "/v1/kyc/person", { body: person })).status).toBe(200);
});
