import { describe, expect, it } from "vitest";
import { otherWords } from "@/test/other-provider";
import { isSameStanding, standingIn } from "./standing";

const info = (status: string) => ({ status: 200, httpCode: 200, when: 0, data: { accountId: "a-1", status } });

describe("how an account stands by an answer that the interface does not show", () => {
  it.each([
    ["CLOSED", "CLOSED"],
    ["ACTIVE", "OPEN"],
    ["UNDER_REVIEW", "UNKNOWN"],
  ])("reads the status %s alike in any wording and at any depth", (status, standing) => {
    expect(standingIn(info(status))).toBe(standing);
    for (const names of ["snake_case", "portuguese"] as const) {
      for (const wrapping of ["bare", "nested"] as const) {
        expect(standingIn(otherWords(info(status), { undocumented: { names, wrapping } }))).toBe(standing);
      }
    }
  });

  it.each([
    [{ RESULTADO: [{ PESSOA_JURIDICA: { CONTA: { SITUACAO: "ENCERRADA" } } }] }, "CLOSED"],
    [{ resposta: { SITUACAO: { CODIGO: "E", DESCRICAO: "Encerrada" } } }, "CLOSED"],
    [{ PESSOA_JURIDICA: { SITUACAO: "ATIVA", CONTA: { SITUACAO: { CODIGO: 3, NOME: "BLOQUEADA" } } } }, "BLOCKED"],
    [{ status: "OK", empresa: { accountState: "ACCOUNT_CLOSED" } }, "CLOSED"],
    [{ data: { conta: { estado: "CONTA_SUSPENSA" } } }, "BLOCKED"],
    [{ body: { status: { value: "active" } } }, "OPEN"],
    [{ data: { SITUACAO: "FECHADA", estado: "SP" } }, "CLOSED"],
    [{ endereco: { estado: "RJ" }, dados: { registro: { SITUACAO: "FECHADA" } } }, "CLOSED"],
    [{ data: { CD_SITUACAO: "FECHADA", tipo: "CC" } }, "CLOSED"],
    [{ data: { situacaoCadastral: "Bloqueada" } }, "BLOCKED"],
    [{ data: { situacaoDaConta: "ativa", statusAtual: "ACTIVE" } }, "OPEN"],
    [{ data: [{ SITUACAO: "FECHADA" }, { page: 1 }] }, "CLOSED"],
    [
      [
        { tipo: "conta", SITUACAO: "FECHADA" },
        { tipo: "titular", nome: "Ana" },
      ],
      "CLOSED",
    ],
    [{ data: [[{ SITUACAO: "FECHADA" }, null], "v2"] }, "CLOSED"],
  ])("reads the status %j in capitals, in either language and nested", (answer, standing) => {
    expect(standingIn(answer)).toBe(standing);
  });

  it.each([
    ["of the account before any other", { conta: { situacao: "Encerrada" }, titular: { status: "ACTIVE" } }, "CLOSED"],
    ["nothing of its card", { data: { cardStatus: "ACTIVE", estadoCivil: "ativo" } }, "UNKNOWN"],
    ["nothing of two of a kind", { data: [{ situacao: "ativa" }, { situacao: "ativa" }] }, "UNKNOWN"],
    ["nothing where it says two things", { status: "CLOSED", situacao: "ativa" }, "UNKNOWN"],
    [
      "nothing where an unknown word stands above a known one",
      { status: "PAUSED", docs: { status: "ACTIVE" } },
      "UNKNOWN",
    ],
  ])("reads an account's status as %s", (_, answer, standing) => {
    expect(standingIn(answer)).toBe(standing);
  });
});

describe("a provider's word for an account, beside ours", () => {
  it.each([
    ["ACTIVE", true],
    ["Encerrada", true],
    ["suspended", false],
    ["EM_MIGRACAO", false],
    ["", false],
  ])("decides whether %j repeats our word: %s", (word, isSame) => expect(isSameStanding(word)).toBe(isSame));
});
