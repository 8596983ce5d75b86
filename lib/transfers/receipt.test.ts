import { tedReceipt } from "./receipt";
import { describe, expect, it } from "vitest";

const transactionId = "8b0c1f0e-3f0a-4f0e-9a55-0b6f6f2b7c11";

describe("what is kept of a TED's answer", () => {
  it("keeps the ids of a TED's answer under any name", () => {
    const answer = { dados: { idTransacao: transactionId, idFimAFim: "E1", situacao: "LIQUIDADA", mensagem: "Feita" } };
    expect(tedReceipt(answer)).toEqual({ transactionId, endToEndId: "E1" });
  });

  it("keeps a TED's message, without documents, when unconfirmed", () => {
    const answer = { transacao: { id: transactionId, estado: "PENDENTE" }, motivo: "Em análise para 529.982.247-25" };
    const { message } = tedReceipt(answer);
    expect(message).toContain("Em análise");
    expect(message).not.toContain("529.982.247-25");
  });
});
