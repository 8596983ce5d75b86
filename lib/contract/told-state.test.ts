import { describe, expect, it } from "vitest";
import { parseJson } from "./json";
import { isExpiry, isRelease, stateIn } from "./told-state";

const transactionId = "8b0c1f0e-3f0a-4f0e-9a55-0b6f6f2b7c11";

describe("the answer to a write", () => {
  it.each([
    ["nothing", {}],
    ["only an id", { status: 200, data: { transactionId } }],
    ["that the call went well", { status: "SUCCESS", data: { transactionId } }],
    ["completion", { data: { transactionId, status: "CONFIRMED" } }],
    ["completion in Portuguese", { dados: { idTransacao: transactionId, situacao: "Liquidada" } }],
    ["completion with its subject", { resposta: { estado: "TED_EFETIVADA" } }],
    ["completion inside a state", { resposta: { situacao: { codigo: 3, descricao: "Concluída" } } }],
  ])("reads a write as done for %s", (_, answer) => {
    expect(stateIn(parseJson(JSON.stringify(answer))).is).toBe("DONE");
  });

  it.each([
    ["by its envelope", { status: "RECUSADA", data: { transactionId }, message: "Conta inexistente" }],
    ["by an object", { data: { state: { code: "R", description: "RECUSADA" } }, message: "Conta inexistente" }],
    ["deep", { body: { resposta: { dados: { transferencia: { estado: "RECUSADA", motivo: "Conta inexistente" } } } } }],
    [
      "under a call that went well",
      { resposta: { status: "OK", ted: { situacao: "RECUSADA", motivo: "Conta inexistente" } } },
    ],
  ])("reads a write as refused for a known word %s", (_, answer) => {
    expect(stateIn(answer)).toEqual({ is: "REFUSED", word: "RECUSADA", message: "Conta inexistente" });
  });

  it.each(["REJECTED", "FAILED", "Cancelada", "TRANSFERENCIA_REJEITADA", "falhou"])(
    "reads a write as refused for %s",
    (state) => {
      expect(stateIn({ data: { state } }).is).toBe("REFUSED");
    },
  );

  it.each(["PENDENTE", "EM_PROCESSAMENTO", "SCHEDULED", "NAO_CONFIRMADA", "qualquer coisa"])(
    "reads a write as open at %s",
    (word) => {
      expect(stateIn({ status: 200, data: { transactionId, status: word } })).toMatchObject({ is: "OPEN", word });
      expect(stateIn({ status: word, data: { transactionId } })).toMatchObject({ is: "OPEN", word });
      expect(stateIn({ transacao: { id: transactionId, situacao: { nome: word } } })).toMatchObject({
        is: "OPEN",
        word,
      });
    },
  );

  it("reads a write as open for an error, a failure or contradicting words", () => {
    expect(stateIn({ error: "LIMITE" })).toMatchObject({ is: "OPEN", word: "LIMITE" });
    expect(stateIn({ sucesso: false })).toMatchObject({ is: "OPEN", word: "sucesso: false" });
    expect(stateIn({ status: "CONFIRMED", data: { status: "PENDENTE" } })).toMatchObject({
      is: "OPEN",
      word: "PENDENTE",
    });
  });
});

describe("a word for what an analyst was to decide", () => {
  it("reads a decision's word as released or expired, in either language", () => {
    expect(["RELEASED", "Aprovada", "TED_LIBERADA"].every(isRelease)).toBe(true);
    expect(["TIMED_OUT", "Expirado", "transferência vencida"].every(isExpiry)).toBe(true);
    expect(["HELD", "EM_ANALISE", "REJECTED"].some((word) => isRelease(word) || isExpiry(word))).toBe(false);
  });
});
