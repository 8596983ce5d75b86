import { describe, expect, it } from "vitest";
import { tedReceipt } from "./kinds";

const transactionId = "8b0c1f0e-3f0a-4f0e-9a55-0b6f6f2b7c11";

describe("a TED that was answered with a success", () => {
  it.each([
    ["says nothing of its state", { status: 200, data: { transactionId } }],
    ["says that the call went well", { status: "SUCCESS", data: { transactionId } }],
    ["says that money left", { data: { transactionId, status: "CONFIRMED" } }],
    ["says so in Portuguese", { dados: { idTransacao: transactionId, situacao: "LIQUIDADA" } }],
  ])("is confirmed where the answer %s", (_, answer) => {
    expect(tedReceipt(answer)).toMatchObject({ transactionId });
  });

  it.each(["PENDENTE", "EM_PROCESSAMENTO", "RECUSADA", "SCHEDULED", "qualquer coisa"])(
    "is not taken for confirmed while it says %s",
    (word) => {
      expect(tedReceipt({ status: 200, data: { transactionId, status: word } })).toBeNull();
      expect(tedReceipt({ transacao: { id: transactionId, estado: word } })).toBeNull();
    },
  );
});
