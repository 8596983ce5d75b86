import { describe, expect, it } from "vitest";
import { z } from "zod";
import { CloseAccount, ExternalTransfer, InternalTransfer } from "./accounts";
import { CreateWallet, CryptoTransfer } from "./crypto";
import accounts from "./fixtures/accounts.json";
import crypto from "./fixtures/crypto.json";
import kyc from "./fixtures/kyc.json";
import onboarding from "./fixtures/onboarding.json";
import { parseJson, stringifyJson } from "./json";
import { CompanyKyc, ManualDecision, PersonKyc } from "./kyc";
import { CreatePersonAccount } from "./onboarding";
import type { operations } from "@/service/gateway/operations";
import { commandExamples } from "@/test/support/service/conformance";
import { fieldsOf, withField, withoutField } from "@/test/support/contract";

const isOneOf =
  (...fields: string[]) =>
  (field: string) =>
    fields.includes(field);

/** What of its examples may be left out; of any other nothing may. */
const OPTIONAL: Partial<Record<keyof typeof operations, (field: string) => boolean>> = {
  createAccount: (field) =>
    field === "person.email" ||
    field.startsWith("person.address.") ||
    /^legalPerson\.(businessEmail|contactNumber|businessAddress|owner\.0\.)/.test(field),
  updateCompanyInfo: isOneOf("businessEmail", "contactNumber"),
  transferInternally: isOneOf("description"),
  createWallet: isOneOf("userId", "isForwardPayment"),
  createCheckoutAddress: isOneOf("reference"),
  transferCrypto: isOneOf("tokenAddress", "decimals", "networkId", "currency", "issuer"),
  startPersonKyc: isOneOf("documentscopyFlag"),
  startCompanyKyc: isOneOf("documentscopyFlag"),
};

const OPTIONAL_IN = new Map(Object.entries(OPTIONAL));
const BODIES = commandExamples().map((command) => ({ ...command, isOptional: OPTIONAL_IN.get(command.id) }));

const SECRETS: ReadonlySet<string> = new Set(["transactionPassword", "userAccessToken"]);

const accepts = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success;

const bornOn = (birthDate: string) => accepts(PersonKyc, { ...kyc.personKyc, birthDate });
const withMembers = (...qsa: unknown[]) => accepts(CompanyKyc, { ...kyc.companyKyc, qsa });
const because = (reason: string) => accepts(ManualDecision, { ...kyc.manualDecision, reason });
describe.each(BODIES)("the body of $id, $which", ({ input: schema, example, isOptional = () => false }) => {
  const fields = fieldsOf(example).map((field) => [field.join("."), field] as const);
  const required = fields.filter(([name]) => !isOptional(name));
  const texts = required.filter(([name, field]) => !SECRETS.has(name) && accepts(z.string(), valueAt(example, field)));

  it("accepts the interface's example body", () => {
    expect(schema.safeParse(example)).toMatchObject({ success: true });
  });

  it("serialises a body back to the same JSON", () => {
    const sent = stringifyJson(z.encode(schema, schema.parse(example)));
    expect(parseJson(sent)).toEqual(example);
  });

  it.each(required)("refuses a body without %s", (_, field) => {
    expect(accepts(schema, withoutField(example, field))).toBe(false);
  });

  it.each(texts)("refuses a body with a blank %s", (_, field) => {
    expect(accepts(schema, withField(example, field, "   "))).toBe(false);
  });

  it.each(fields.filter(([name]) => isOptional(name)))("accepts a body without %s", (_, field) => {
    expect(schema.safeParse(withoutField(example, field))).toMatchObject({ success: true });
  });

  it("passes the tenant's `application` through", () => {
    expect(schema.parse(withField({ ...toObject(example), application: "" }, ["application"], "aurora"))).toMatchObject(
      { application: "aurora" },
    );
  });
});

const AnyObject = z.record(z.string(), z.unknown());
const toObject = (value: unknown) => AnyObject.parse(value);

function valueAt(document: unknown, [first, ...rest]: readonly (string | number)[]): unknown {
  if (first === undefined) return document;
  return Array.isArray(document) ? valueAt(document[Number(first)], rest) : valueAt(toObject(document)[first], rest);
}

describe("a civil date in a body", () => {
  it("accepts a date as day, month and year", () => {
    expect(bornOn("31-12-1999")).toBe(true);
    expect(bornOn("29-02-2000")).toBe(true);
  });

  it.each([
    "31-02-1990",
    "29-02-2023",
    "31-04-1990",
    "00-01-1990",
    "01-13-1990",
    "1990-12-31",
    "1-1-1990",
    "31/12/1990",
    "",
  ])("refuses the date %s", (date) => expect(bornOn(date)).toBe(false));
});

describe("a holder's document", () => {
  it("requires a CPF for a person and a CNPJ for a company, digits only", () => {
    const { person } = onboarding.createPersonAccount;
    const withDocument = (documentNumber: string) =>
      accepts(CreatePersonAccount, { ...onboarding.createPersonAccount, person: { ...person, documentNumber } });
    expect(withDocument("39053344705")).toBe(true);
    for (const odd of ["39053344704", "390.533.447-05", "11222333000181", "11111111111", ""]) {
      expect(withDocument(odd)).toBe(false);
    }
  });

  it("accepts a CNPJ with letters", () => {
    expect(accepts(CompanyKyc, { ...kyc.companyKyc, vatNumber: "12ABC34501DE35" })).toBe(true);
    expect(accepts(CompanyKyc, { ...kyc.companyKyc, vatNumber: "12ABC34501DE36" })).toBe(false);
    expect(accepts(CompanyKyc, { ...kyc.companyKyc, vatNumber: "52998224725" })).toBe(false);
  });

  it("accepts a CPF or a CNPJ for a transfer's recipient", () => {
    expect(accepts(ExternalTransfer, { ...accounts.externalTransfer, document: "11222333000181" })).toBe(true);
    expect(accepts(ExternalTransfer, { ...accounts.externalTransfer, document: "11222333000182" })).toBe(false);
  });
});

describe("the members of a company", () => {
  const [administrator] = kyc.companyKyc.qsa;
  const member = { ...administrator, ownerType: "SOCIO" };

  it("accepts one to three members", () => {
    expect(withMembers()).toBe(false);
    expect(withMembers(administrator)).toBe(true);
    expect(withMembers(member, member, administrator)).toBe(true);
    expect(withMembers(administrator, member, member, member)).toBe(false);
  });

  it("requires at least one SOCIO_ADMINISTRADOR", () => {
    expect(withMembers(member)).toBe(false);
    expect(withMembers(administrator, administrator)).toBe(true);
    expect(withMembers(administrator, { ...member, ownerType: "DIRETOR" })).toBe(false);
  });
});

describe("a manual decision", () => {
  it("limits a decision's reason to 500 characters", () => {
    expect(because("x".repeat(500))).toBe(true);
    expect(because("x".repeat(501))).toBe(false);
    expect(because("")).toBe(false);
  });

  it("accepts only APPROVED or REPROVED", () => {
    expect(accepts(ManualDecision, { ...kyc.manualDecision, decision: "REPROVED" })).toBe(true);
    for (const decision of ["PENDING", "approved", "REJECTED"]) {
      expect(accepts(ManualDecision, { ...kyc.manualDecision, decision })).toBe(false);
    }
  });
});

describe("orders that move money", () => {
  it.each([0, -1, 0.001, 1.005, "150.75", null, 1e21, Number.NaN, Number.POSITIVE_INFINITY])(
    "refuses an order with an amount of %s",
    (amount) => expect(accepts(InternalTransfer, { ...accounts.internalTransfer, amount })).toBe(false),
  );

  it("keeps the leading zeros of an ISPB and takes bank codes as numbers", () => {
    expect(ExternalTransfer.parse(accounts.externalTransfer).institutionIspb).toBe("00000208");
    expect(accepts(ExternalTransfer, { ...accounts.externalTransfer, institutionCode: "341" })).toBe(false);
  });

  it("accepts a current or savings account", () => {
    expect(accepts(ExternalTransfer, { ...accounts.externalTransfer, bankAccountType: "SVGS" })).toBe(true);
    expect(accepts(ExternalTransfer, { ...accounts.externalTransfer, bankAccountType: "TRAN" })).toBe(false);
  });

  it.each(["0", "0.0", "-1", "1e18", "+1", ".5", "1.", "01", "", "1,5", "0x10"])(
    "refuses an order of crypto with an amount of %j",
    (amount) => expect(accepts(CryptoTransfer, { ...crypto.cryptoTransfer, amount })).toBe(false),
  );

  it("requires a network, not a chain family, in an order of crypto", () => {
    expect(accepts(CryptoTransfer, { ...crypto.cryptoTransfer, network: "POLYGON" })).toBe(true);
    expect(accepts(CryptoTransfer, { ...crypto.cryptoTransfer, network: "EVM" })).toBe(false);
    expect(accepts(CreateWallet, { ...crypto.createWallet, network: "POLYGON" })).toBe(false);
  });

  it.each(["12345", "1234567", "12345a", ""])(
    "requires an MFA code of 6 digits, not %j, to close an account",
    (code) => {
      expect(accepts(CloseAccount, { ...accounts.closeAccount, code })).toBe(false);
    },
  );
});

describe("a secret of the holder", () => {
  it("sends a secret with its spaces, which are part of it", () => {
    const transactionPassword = " open sesame ";
    const body = { ...onboarding.createPersonAccount, transactionPassword };
    expect(CreatePersonAccount.parse(body)).toMatchObject({ transactionPassword });
    expect(accepts(CreatePersonAccount, { ...body, transactionPassword: "" })).toBe(false);
  });
});
