import { describe, expect, it } from "vitest";
import { parseJson } from "@/lib/contract/json";
import { showBody } from "./shown-body";

const CPF = "52998224725";
const shown = (payload: unknown) =>
  Object.fromEntries(showBody(payload).fields.map(({ path, value, isMasked }) => [path, [value, isMasked]]));

describe("what a delivery said, as people see it", () => {
  it("names every field by its path, at any depth, to the last digit", () => {
    const said = parseJson('{"a":{"b":[{"c":"x"},[true,null]]},"amount":0.10000000000000000001}');
    expect(shown(said)).toEqual({
      "a.b[0].c": ["x", false],
      "a.b[1][0]": ["true", false],
      "a.b[1][1]": ["null", false],
      amount: ["0.10000000000000000001", false],
    });
  });

  it.each([
    [{ account: { documentNumber: CPF } }, "account.documentNumber", "***.982.247-**"],
    [{ note: `do CPF 529.982.247-25 e de ${CPF}` }, "note", "do CPF ***.982.247-** e de ***.982.247-**"],
    [{ vatNumber: "12345" }, "vatNumber", "•••"],
    [{ fullName: "Tereza Lemos" }, "fullName", "•••"],
    [{ name: "Tereza Lemos" }, "name", "•••"],
    [{ holder: [{ motherName: "Ana" }] }, "holder[0].motherName", "•••"],
    [{ email: "t@example.com" }, "email", "•••"],
    [{ phoneNumber: "+5511987654321" }, "phoneNumber", "•••"],
    [{ person: { birthDate: "07-05-1990" } }, "person.birthDate", "•••"],
    [{ accessToken: "x" }, "accessToken", "•••"],
    [{ password: "x" }, "password", "•••"],
    [{ nome_titular: "Tereza Lemos" }, "nome_titular", "•••"],
    [{ titular: "Tereza Lemos" }, "titular", "•••"],
    [{ "Nome da Mãe": "Ana" }, "Nome da Mãe", "•••"],
    [{ data_nascimento: "1990-05-07" }, "data_nascimento", "•••"],
    [{ telefone: "+5511987654321" }, "telefone", "•••"],
    [{ endereco: { logradouro: "Rua A" } }, "endereco.logradouro", "•••"],
    [{ biometricUrl: "https://b.example/u/5f2?x=1" }, "biometricUrl", "b.example/•••"],
    [{ message: "javascript://x/%0aalert(1)" }, "message", "x/•••"],
  ])("hides the restricted parts of %j", (payload, path, value) => {
    expect(shown(payload)).toEqual({ [path]: [value, true] });
  });

  it.each([
    [{ canal: "ana.lima@example.com" }, "canal", "a•••@•••"],
    [{ obs: "falar com ana@example.com ou (11) 98765-4321" }, "obs", "falar com a•••@••• ou •••21"],
    [{ whatsapp: "+55 11 98765-4321" }, "whatsapp", "•••21"],
    [{ destino: "98765-4" }, "destino", "•••-4"],
    [{ contaCorrente: "0009876543" }, "contaCorrente", "•••43"],
  ])("masks what looks like an e-mail, a phone or an account in %j", (payload, path, value) => {
    expect(shown(payload)).toEqual({ [path]: [value, true] });
  });

  it.each([
    { transactionId: "12345678-9" },
    { valor: "1234.56" },
    { data: "2026-11-27T10:00:00.000Z" },
    { quando: 1_795_773_000_000 },
    { contaStatus: "ATIVA" },
    { contato: "ouvidoria" },
    { id_lote: "8b0c1f0e-3f0a-4f0e-9a55-0b6f6f2b7c11" },
  ])("leaves %j as it came", (payload) => {
    expect(showBody(payload).fields.some(({ isMasked }) => isMasked)).toBe(false);
  });

  it("shows what identifies a wallet", () => {
    const said = { walletId: "w-1", address: "0xAbc", fromAddress: "0xDef", tokenAddress: null, txHash: "0x1" };
    expect(showBody(said).fields.some(({ isMasked }) => isMasked)).toBe(false);
  });

  it("masks a document used as a field name", () => {
    expect(shown({ [CPF]: "x" })).toEqual({ "***.982.247-**": ["x", false] });
  });

  it("cuts a delivery's text to a length that a screen can show", () => {
    const { fields, more } = showBody(Array.from({ length: 250 }, () => "x".repeat(10_000)));
    expect([fields.length, more]).toEqual([200, 50]);
    expect(fields[0]?.value).toHaveLength(601);
  });

  it.each([
    ["text", "text"],
    [7, "7"],
    [null, "null"],
  ])("shows a body that is no object, such as %j", (said, value) => {
    expect(showBody(said).fields).toEqual([{ path: "", value, isMasked: false }]);
  });
});
