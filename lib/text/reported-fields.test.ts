import { describe, expect, it } from "vitest";
import { clearAt, type KnownFields, readFields } from "./reported-fields";

const KNOWN: KnownFields<"fullName" | "documentNumber" | "address" | "closingReason" | "date"> = {
  fullName: { aliases: ["nome"], as: "name" },
  documentNumber: { aliases: ["cpf"], as: "document" },
  address: { aliases: ["endereco"], as: "address" },
  closingReason: { aliases: [], as: "hidden" },
  date: { aliases: ["data"], as: "time" },
};
const shownOf = (answer: unknown) => readFields(answer, KNOWN).map(({ name, path, text }) => [name, path, text]);

describe("an answer that the interface does not show", () => {
  it("reads an answer by known names at any depth, else by its own names", () => {
    const answer = {
      status: 200,
      httpCode: 200,
      when: 1,
      data: {
        pessoa: { NOME: "Ana Prado", cpf: "52998224725" },
        data: "2026-11-02",
        faixa: "ouro",
        nada: null,
        lista: [],
      },
    };
    expect(shownOf(answer)).toEqual([
      ["fullName", "data.pessoa.NOME", "A••• P•••"],
      ["documentNumber", "data.pessoa.cpf", "***.982.247-**"],
      ["date", "data.data", "2026-11-02"],
      [null, "data.faixa", "ouro"],
    ]);
    expect(clearAt(answer, "data.pessoa.cpf", KNOWN)).toBe("529.982.247-25");
    expect(clearAt(answer, "data.pessoa", KNOWN)).toBeNull();
  });

  it("gives a time in ISO, and an invalid one as it came", () => {
    // The second one's digits are also a valid CNPJ.
    const written = ["20260310T233000-0300", "20260310000152", "10/03/2026", "52998224725"];
    const answer = written.map((data) => ({ data }));
    expect(readFields(answer, KNOWN)).toMatchObject([
      { kind: "time", text: "2026-03-11T02:30:00.000Z", isMasked: false },
      { kind: "time", text: "2026-03-10T03:01:52.000Z", isMasked: false },
      { kind: "time", text: "10/03/2026", isMasked: false },
      { kind: "time", text: "***.982.247-**", isMasked: true },
    ]);
    expect(readFields({ faixa: "ouro", link: "https://provedor.example/1" }, KNOWN)).toMatchObject([
      { kind: "text" },
      { kind: "link" },
    ]);
  });

  it("masks a known name inside other texts too, unless the reader may see names", () => {
    const texts = (description: string, inClear: readonly "fullName"[] = []) =>
      readFields({ nome: "João d'Ávila Lima", descricao: description }, KNOWN, inClear).map(({ text }) => text);
    const masked = "J••• d•••'Á••• L•••";
    expect(texts("TED para JOAO D'AVILA  LIMA, aluguel")[1]).toBe("TED para J••• D•••'A•••  L•••, aluguel");
    expect(texts("João d'Ávila Limaverde")[1]).toBe("João d'Ávila Limaverde");
    expect(texts(`De João d'Ávila Lima`)[1]).toBe(`De ${masked}`);
    expect(texts("De João d'Ávila Lima", ["fullName"])).toEqual(["João d'Ávila Lima", "De João d'Ávila Lima"]);
    expect(clearAt({ nome: "Ana", descricao: "De Ana" }, "descricao", KNOWN)).toBe("De Ana");
  });

  it("shows an address's city and state, and the whole in one line", () => {
    const answer = { endereco: { rua: "Rua das Flores", numero: 7, cidade: "Recife", uf: "PE" } };
    expect(shownOf(answer)).toEqual([["address", "endereco", "••• · Recife · PE"]]);
    expect(clearAt(answer, "endereco", KNOWN)).toBe("Rua das Flores, 7, Recife, PE");
    expect(shownOf({ endereco: "Rua das Flores 7" })).toEqual([["address", "endereco", "•••"]]);
  });

  it("keeps a masked document and hides an invalid one", () => {
    expect(readFields([{ cpf: "***.982.247-**" }, { cpf: "9001" }], KNOWN)).toMatchObject([
      { text: "***.982.247-**", isMasked: false },
      { text: "•••", isMasked: true },
    ]);
  });

  it("hides personal values under unknown names, and free text", () => {
    expect(shownOf({ nome_social: "Bia", chavePix: "bia@example.com", closingReason: "Bia pediu" })).toEqual([
      [null, "nome_social", "•••"],
      [null, "chavePix", "•••"],
      ["closingReason", "closingReason", "•••"],
    ]);
  });

  it("masks e-mails, phones and account numbers under unknown names", () => {
    const answer = {
      RESULTADO: [{ PESSOA_JURIDICA: { CONTATO: ["ana@example.com", "(11) 98765-4321"], DESTINO: "98765-4" } }],
    };
    expect(readFields(answer, KNOWN).map(({ text, isMasked }) => [text, isMasked])).toEqual([
      ["a•••@•••", true],
      ["•••21", true],
      ["•••-4", true],
    ]);
  });

  it.each([
    ["a password", { conta: { senhaTransacional: "482913" } }],
    ["a password of several parts", { transactionPassword: { value: "482913", hint: "dog" } }],
    ["a token under an open name", { ref: "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln" }],
    ["a header's credentials", { via: "Bearer 0f4c2a9b8d7e" }],
    ["a private key", { note: "-----BEGIN PRIVATE KEY-----\nMC4CAQ" }],
  ])("hides %s from everybody, and offers no reveal", (_, answer) => {
    const [field, ...others] = readFields(answer, KNOWN);
    expect(field).toMatchObject({ text: "•••", isMasked: false });
    expect(others).toEqual([]);
    expect(clearAt(answer, field?.path ?? "", KNOWN)).toBe("•••");
  });

  it("reads fields named like built-in object properties", () => {
    const answer = JSON.parse('{"toString":"x","constructor":"y","__proto__":"z","valueOf":{"nome":"Ana"}}');
    expect(shownOf(answer)).toHaveLength(4);
  });

  it.each(["toString", "constructor", "__proto__", "valueOf", "toJSON"])(
    "reads %s within each kind of field",
    (name) => {
      const one = JSON.parse(`{"${name}":"x","cidade":"Recife"}`);
      const answer = { nome: one, cpf: one, endereco: one, closingReason: one, data: one, lista: [one, one] };
      const shown = shownOf(answer);
      expect(shown).toContainEqual(["address", "endereco", "••• · Recife"]);
      expect(shown.filter(([, path]) => String(path).endsWith(name))).toHaveLength(6);
      expect(clearAt(answer, "endereco", KNOWN)).toBe("Recife, x");
    },
  );

  it("lists a repeated value once, and each list entry separately", () => {
    const answer = { fullName: "Ana", person: { fullName: "Ana" }, owner: [{ fullName: "Ana" }, { fullName: "Ana" }] };
    expect(readFields(answer, KNOWN).map(({ path, entry }) => [path, entry])).toEqual([
      ["fullName", null],
      ["owner[0].fullName", "owner[0]"],
      ["owner[1].fullName", "owner[1]"],
    ]);
  });

  it.each([null, "text", 7, [], {}])("finds no fields in %j", (answer) => {
    expect(readFields(answer, KNOWN)).toEqual([]);
  });
});
