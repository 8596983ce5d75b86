import { fieldsOf } from "./request-record";
import { describe, expect, it } from "vitest";
import { AccountForm, AccountOrder } from "./create-inputs";
import { accountOrder, PASSWORD, typedCompany, typedPerson } from "@/test/support/onboarding";

type Issue = { path: PropertyKey[]; params?: Record<string, unknown> | undefined };

/** The errors by the field's dotted path. */
function wrong(schema: typeof AccountForm | typeof AccountOrder, typed: unknown): Record<string, unknown> {
  const issues: Issue[] = schema.safeParse(typed).error?.issues.map(({ path, ...rest }) => ({ path, ...rest })) ?? [];
  return Object.fromEntries(issues.map(({ path, params }) => [path.join("."), params?.["code"]]));
}

const personWrong = (changes: Record<string, unknown>) => wrong(AccountForm, typedPerson(changes));

describe("the form to ask for an account", () => {
  it("accepts typed values and sends the interface's format", () => {
    expect(AccountForm.parse(typedPerson())).toMatchObject({
      person: {
        fullName: "Ana Beatriz Souza",
        phoneNumber: "+5511999990000",
        birthDate: "07-05-1990",
        isPoliticallyExposedPerson: false,
        address: { postalCode: "01310100", state: "SP", longitude: "-46.65" },
      },
    });
    expect(AccountForm.parse(typedCompany())).toMatchObject({
      legalPerson: { contactNumber: "+551130000000", owner: [{ address: null }, { address: { city: "Campinas" } }] },
    });
  });

  it.each([
    ["(11) 99999-0000", true],
    ["+55 11 3000-0000", true],
    ["5511999990000", true],
    ["+1 415 555 2671", true],
    ["99999-0000", false],
    ["(01) 99999-0000", false],
    ["+55 11 19999-0000", false],
  ])("decides whether the phone %s is valid: %s", (phoneNumber, isOne) => {
    expect("person.phoneNumber" in personWrong({ phoneNumber })).toBe(!isOne);
  });

  it("lists every error beside its field", () => {
    const typed = {
      ...typedPerson({ documentNumber: "111", birthDate: "31/02/1990", isPoliticallyExposedPerson: "" }),
    };
    expect(wrong(AccountForm, { ...typed, email: "joão@exemplo.com" })).toMatchObject({ email: "email-letters" });
    expect(wrong(AccountForm, { ...typed, email: "ana" })).toMatchObject({
      email: "email",
      "person.documentNumber": "cpf",
      "person.birthDate": "date",
    });
    expect("person.isPoliticallyExposedPerson" in wrong(AccountForm, typed)).toBe(true);
  });

  it.each(["http://files.example/1.jpg", "files.example/1.jpg", "https://ana:senha@files.example/1", "javascript:1"])(
    "never sends the provider to %s",
    (documentLink) => {
      const typed = typedPerson();
      const bankDocuments = { ...typed.bankDocuments, documentLink };
      expect(wrong(AccountForm, { ...typed, bankDocuments })).toEqual({ "bankDocuments.documentLink": "https" });
    },
  );

  it("refuses one owner twice", () => {
    const { owner } = typedCompany().legalPerson;
    const [first, second] = owner;
    const repeated = [first, { ...second, documentNumber: first?.documentNumber }];
    expect(wrong(AccountForm, typedCompany({ owner: repeated }))).toEqual({
      "legalPerson.owner.1.documentNumber": "repeated",
    });
    expect("legalPerson.owner" in wrong(AccountForm, typedCompany({ owner: [] }))).toBe(true);
  });

  it("accepts a CNPJ with letters", () => {
    expect(wrong(AccountForm, typedCompany({ documentNumber: "12.ABC.345/01DE-35" }))).toEqual({});
  });

  it.each(["777777", "123456", "987654", "abcdef", "07051990", "070590", "19900507"])(
    "refuses the password %s, which others could guess",
    (password) => {
      const { seen, intentId, from } = accountOrder();
      const sent = { seen, intentId, from, transactionPassword: password, passwordAgain: password };
      expect(wrong(AccountOrder, { ...typedPerson(), ...sent })).toEqual({ transactionPassword: "password-guessable" });
    },
  );

  it("refuses a password typed differently twice, or taken from the document", () => {
    const { seen, intentId, from } = accountOrder();
    const typed = typedPerson();
    const sent = { seen, intentId, from, transactionPassword: PASSWORD, passwordAgain: `${PASSWORD}x` };
    expect(wrong(AccountOrder, { ...typed, ...sent })).toEqual({ passwordAgain: "password-again" });
    const part = typed.person.documentNumber.slice(2, 9);
    expect(wrong(AccountOrder, { ...typed, ...sent, transactionPassword: part })).toEqual({
      transactionPassword: "password-guessable",
    });
    const short = { transactionPassword: "a1b2", passwordAgain: "a1b2" };
    expect(wrong(AccountOrder, { ...typed, ...sent, ...short })).toEqual({
      transactionPassword: "password",
    });
  });

  it("refills a form from its stored fields", () => {
    const fields = fieldsOf(AccountForm.parse(typedCompany()));
    expect(fields).toMatchObject({
      email: "contato@example.com",
      "legalPerson.establishmentDate": "01/02/2015",
      "legalPerson.owner.0.ownAddress": "",
      "legalPerson.owner.1.ownAddress": "yes",
      "legalPerson.owner.1.address.city": "Campinas",
      owners: "2",
    });
  });
});
