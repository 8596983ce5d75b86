import { createTranslator } from "next-intl";
import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { AppError } from "./app-error";
import { HistoryQuery, InternalTransfer } from "@/lib/contract/accounts";
import accounts from "@/lib/contract/fixtures/accounts.json";
import kyc from "@/lib/contract/fixtures/kyc.json";
import { CompanyKyc, ManualDecision, PersonKyc } from "@/lib/contract/kyc";
import { CustomerQuery } from "@/lib/onboarding/inputs";
import { ERROR_KINDS } from "@/lib/errors/result";
import english from "@/messages/en.json";
import portuguese from "@/messages/pt-BR.json";
import {
  explain,
  explainCode,
  explainFields,
  explainRead,
  explainTold,
  explainUnconfirmed,
} from "@/lib/errors/explain";
import { kindOf } from "@/lib/provider/answer";

const languages = [
  { locale: "en", messages: english, say: createTranslator({ locale: "en", messages: english }) },
  { locale: "pt-BR", messages: portuguese, say: createTranslator({ locale: "pt-BR", messages: portuguese }) },
] as const;

const issuesOf = (schema: z.ZodType, input: unknown) => schema.safeParse(input).error?.issues ?? [];

const failing = (mayHaveExecuted: boolean) => new AppError("unavailable", { code: "no-answer", mayHaveExecuted });

describe.each(languages)("a failure in $locale", ({ locale, messages, say }) => {
  it.each(ERROR_KINDS)("has a sentence for a failure of the kind %s", (kind) => {
    expect(explainRead(new AppError(kind), say)).toEqual({ kind, message: messages.errors[kind] });
    const message = kind === "unavailable" ? messages.unavailableWrites.unsent : messages.errors[kind];
    expect(explain(new AppError(kind), say)).toEqual({ kind, message });
  });

  it("says of a write whether something was sent, as far as it is known", () => {
    expect(explain(failing(false), say).message).toBe(messages.unavailableWrites.unsent);
    expect(explain(failing(true), say).message).toBe(messages.unavailableWrites.unknown);
    expect(explainRead(failing(true), say).message).toBe(messages.errors.unavailable);
  });

  it("says how a call ended that neither confirmed nor refused", () => {
    expect(explainUnconfirmed({ code: null, status: 503 }, say)).toBe(
      messages.refusedStatuses.failed.replace("{status}", "503"),
    );
    expect(explainUnconfirmed({ code: "answer-cut-off", status: null }, say)).toBe(messages.endings["answer-cut-off"]);
    expect(explainUnconfirmed({ code: "no-answer", status: null }, say)).toBe(messages.endings["no-answer"]);
    expect(explainUnconfirmed({ code: "unknown:EM_FILA", status: 200 }, say)).toBeNull();
  });

  it.each(Object.keys(messages.failures))("has a sentence for our own code %s", (code) => {
    const { message } = explain(new AppError("conflict", { code }), say);
    expect(message).not.toBe(messages.errors.conflict);
    expect(message).not.toMatch(/[{}]|failures/);
  });

  it.each(["case-held", "case-not-yours", "person-away"])("names who and when for %s", (code) => {
    const holder = { id: "7", name: "Bruna Lima", since: "2026-11-12T17:03:00Z" };
    const failure = explain(new AppError("conflict", { code, holder }), say);
    expect(failure).toMatchObject({ holder, message: expect.stringMatching(/^Bruna Lima .*12.*\d\d:03/) });
  });

  it.each(Object.entries(messages.outages))("says for %s why nothing was sent", (code, message) => {
    expect(explain(new AppError("unavailable", { code }), say).message).toBe(message);
  });

  it("names the roles that have a missing permission", () => {
    const { message } = explain(new AppError("forbidden", { code: "wallets:read" }), say);
    const { finance, approver, auditor, admin } = messages.roles;
    expect(message).toContain([finance, approver, auditor, admin].join(", "));
  });

  it.each(Object.entries(messages.refusals))("says who can change %s", (code, { body }) => {
    expect(explain(new AppError("forbidden", { code }), say).message).toBe(body);
    expect(explainCode(code, say)).toBe(body);
    expect(body).toMatch(
      locale === "en" ? /commercial contact.*administrators can’t/ : /contato comercial.*não consegue/,
    );
  });

  it.each([400, 403, 404, 405, 409, 412, 422] as const)("has its own sentence for the status %i", (status) => {
    const refused = (details: object) => explain(new AppError(kindOf(status, undefined), { status, ...details }), say);
    const own = say(`refusedStatuses.${status}`, { answer: String(status) });
    expect(refused({ providerMessage: " Fora do “horário” " }).message).toBe(`${own}: “Fora do “horário””`);
    expect(refused({}).message).toBe(say("refusedStatuses.unsaid", { refused: own }));
    expect(refused({ code: "NO_GAS" }).message).toContain(`(${status}, NO_GAS)`);
    expect(refused({ issues: [{ path: ["code"], params: { code: "holder-code" } }] }).message).toBe(
      messages.errors.invalid,
    );
  });

  it.each(Object.entries(messages.antifraud))("explains the antifraud's %s", (code, message) => {
    expect(explain(new AppError("unavailable", { status: 503, code }), say).message).toBe(message);
    expect(explainTold({ code, status: 503, said: null, wasSent: true }, say)).toBe(message);
  });

  it("counts status 200 as a refusal only when the answer says so", () => {
    const details = { status: 200, providerMessage: "RECUSADA" };
    expect(explain(new AppError("invalid", details), say).message).toBe(`${messages.refusedStatuses[200]}: “RECUSADA”`);
    const malformed = new AppError("malformed", { status: 200, code: "answer-not-documented" });
    expect(explain(malformed, say).message).toBe(messages.errors.malformed);
  });

  it("explains what was checked before a rejected save that sent nothing", () => {
    const told = { code: null, status: 422, said: null, wasSent: false };
    expect(explainTold(told, say)).toBe(messages.refusedStatuses.check);
  });

  it.each(Object.entries(messages.readOutages))(
    "does not mention sending for a read that failed by %s",
    (code, message) => {
      expect(explainRead(new AppError("unavailable", { code }), say).message).toBe(message);
      expect(message).not.toMatch(/sent|enviado/);
    },
  );

  it("uses the kind's sentence for an unknown provider code", () => {
    const { message } = explain(new AppError("forbidden", { code: "SOMETHING_NEW" }), say);
    expect(message).toBe(messages.errors.forbidden);
  });

  it.each([
    ["required", ManualDecision, { ...kyc.manualDecision, reason: "  " }, "reason"],
    ["required", ManualDecision, { kycUUID: "kyc-1", decision: "APPROVED" }, "reason"],
    ["required", ManualDecision, { ...kyc.manualDecision, decision: "" }, "decision"],
    ["cpf", PersonKyc, { ...kyc.personKyc, vatNumber: "1" }, "vatNumber"],
    ["date", PersonKyc, { ...kyc.personKyc, birthDate: "31-02-1990" }, "birthDate"],
    ["cnpj", CompanyKyc, { ...kyc.companyKyc, vatNumber: "1" }, "vatNumber"],
    ["amount", InternalTransfer, { ...accounts.internalTransfer, amount: 0.001 }, "amount"],
    ["document", CustomerQuery, "52998224724", ""],
    [
      "period",
      HistoryQuery,
      { accountId: "a", documentNumber: "52998224725", initialDate: "2026-03-02", endDate: "2026-03-01" },
      "endDate",
    ],
  ] as const)("has a sentence for a field that is wrong by %s", (...[code, schema, input, field]) => {
    expect(explainFields(issuesOf(schema, input), say)).toEqual({ [field]: messages.fields[code] });
  });

  it("says how long a text may be", () => {
    const issues = issuesOf(ManualDecision, { ...kyc.manualDecision, reason: "x".repeat(501) });
    expect(explainFields(issues, say)["reason"]).toContain("500");
  });
});

describe("a failure of the provider", () => {
  const [{ say }] = languages;
  const refused = (providerMessage: string) =>
    explain(new AppError("invalid", { status: 400, providerMessage }), say).fields;

  it("quotes the provider with documents masked and hidden characters named", () => {
    const details = { status: 422, providerMessage: "Saldo <b>de 529.982.247-25</b>\u202E" };
    const shown = "“Saldo <b>de ***.982.247-**</b>[U+202E]”";
    expect(explain(new AppError("invalid", details), say).message).toBe(`The provider refused it (422): ${shown}`);
    const held = new AppError("invalid", { ...details, code: "case-held" });
    expect(explain(held, say).message).toMatch(`The provider answered: ${shown}`);
  });

  it("shows the provider's words at the field it names, documents masked", () => {
    expect(refused("qsa.0.vatNumber: 529.982.247-25 is not a CPF")).toEqual({
      "qsa.0.vatNumber": "The provider refused this: ***.982.247-** is not a CPF",
    });
    expect(refused("body: does not fit")).toBeUndefined();
    expect(refused("Not today: try again")).toBeUndefined();
  });
});

describe("the fields of a form", () => {
  const [{ say }] = languages;

  it("shows the first error of each field by its path", () => {
    const [member] = kyc.companyKyc.qsa;
    const body = { ...kyc.companyKyc, legalName: "", qsa: [{ ...member, vatNumber: "1" }] };
    expect(explainFields(issuesOf(CompanyKyc, body), say)).toEqual({
      legalName: english.fields.required,
      "qsa.0.vatNumber": english.fields.cpf,
    });
  });
});
