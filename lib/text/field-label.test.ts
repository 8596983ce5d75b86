import { expect, it } from "vitest";
import { fieldLabel } from "./field-label";

it.each([
  ["RESULTADO[0].PESSOA_JURIDICA.CONTATO[1]", "Pessoa jurídica · Contato 2"],
  ["data.person.birthPlace", "Person · Birth place"],
  ["body.resposta.dados.situacao_conta", "Situação conta"],
  ["numeroConta", "Número conta"],
  ["cpfTitular", "CPF titular"],
  ["id", "ID"],
  ["contato.email", "Contato · E-mail"],
  ["socios[0].mae", "Sócios 1 · Mãe"],
  ["data", "Data"],
  ["[2].nome", "3 · Nome"],
  ["nome\u202Ex", "Nome[U+202E]x"],
  ["***.982.247-**", "***.982.247-**"],
])("labels the field %s as %s", (path, label) => {
  expect(fieldLabel(path)).toBe(label);
});
