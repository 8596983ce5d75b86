import { describe, expect, it } from "vitest";
import { findIn, readList, userIdIn, wordsIn } from "./open-answer";
import { parseJson } from "./json";

const read = (answer: unknown) => readList(answer, (entry) => findIn(entry, "url")?.text ?? null);

describe("what an answer says that the interface does not show", () => {
  it.each([
    [{ data: { status: "CLOSED" } }, "CLOSED", "data.status"],
    [
      { body: { resposta: { dados: { situacao: "encerrada" } } }, when: 1 },
      "encerrada",
      "body.resposta.dados.situacao",
    ],
    [{ status: 200, httpCode: 200, data: { conta: { Situação: "ativa" } } }, "ativa", "data.conta.Situação"],
    [{ status: "SUCCESS", data: { account: { status: "CLOSED" } } }, "CLOSED", "data.account.status"],
    [[{ status: "ACTIVE" }], "ACTIVE", "status"],
    [{ status: "CLOSED", holder: { status: "ACTIVE" } }, "CLOSED", "status"],
  ])("finds a fact in %j, with its place", (answer, text, path) => {
    expect(findIn(answer, "status")).toEqual({ text, path });
  });

  it.each([
    ["nothing", {}],
    ["no object", "encerrada"],
    ["two things", { data: { status: "CLOSED", situacao: "ativa" } }],
    ["of several which is not known", { data: [{ status: "CLOSED" }, { status: "CLOSED" }] }],
    ["only how the call went", { status: "SUCCESS", data: {} }],
    ["no text", { data: { status: { code: 1 } } }],
    ["an empty text", { data: { status: " " } }],
  ])("ignores a fact that says %s", (_, answer) => {
    expect(findIn(answer, "status")).toBeNull();
  });

  it.each([
    { onBoardingId: "1" },
    { onboarding_id: "1" },
    { id_abertura: "1" },
    { abertura: { id: "1" } },
    parseJson('{"id":"0","idAbertura":1}'),
  ])("reads a fact once under each of its names, as in %j", (answer) => {
    expect(findIn(answer, "onboardingId")?.text).toBe("1");
  });

  it("keeps every digit of a number", () => {
    const answer = parseJson('{"id_transacao":90071992547409931234}');
    expect(findIn(answer, "transactionId")?.text).toBe("90071992547409931234");
  });

  it("reads a fact of several words", () => {
    expect(wordsIn({ eventos: ["onboarding-create", "pix"] }, "events")).toEqual(["onboarding-create", "pix"]);
    expect(wordsIn({ topics: "pix" }, "events")).toEqual(["pix"]);
    expect(wordsIn({ events: [1] }, "events")).toBeNull();
  });
});

describe("the list of an answer that the interface does not show", () => {
  it.each([
    [[{ url: "a" }, { endereco: 1 }], ["a"], 1],
    [{ data: [{ url: "a" }] }, ["a"], 0],
    [{ body: { webhooks: { ativos: [{ endpoint: "a" }], links: ["x", "y", "z"] } } }, ["a"], 0],
    [{ ativos: [{ url: "a" }], inativos: [{ url: "b" }] }, ["a", "b"], 0],
    [{ data: [1, 2], more: [3] }, [], 2],
    [[{ webhooks: [{ url: "a" }, { url: "b" }] }, { page: 1 }], ["a", "b"], 0],
    [{ data: [[{ url: "a" }], [{ url: "b" }]] }, ["a", "b"], 0],
    [[{ url: "a", history: [{ url: "b" }] }, { page: 1 }], ["a"], 1],
  ])("finds a list in %j and counts its unreadable items", (answer, understood, others) => {
    const list = read(answer);
    expect(list).toMatchObject({ understood, isList: true });
    expect(list.others).toHaveLength(others);
  });

  it("does not take a missing list for an empty one", () => {
    expect(read({ data: { url: 1 } })).toEqual({ understood: [], others: [], isList: false });
    expect(read({ data: [] })).toEqual({ understood: [], others: [], isList: true });
  });
});

it.each([
  [{ data: { usuario: { id: "usr-1" } } }, "usr-1"],
  [{ userId: "52998224725" }, ""],
  [{ userId: "***.982.247-**" }, ""],
  [{ userId: "u".repeat(201) }, ""],
  [{ data: {} }, ""],
])("reads a user in %j as %j, never as a document", (answer, userId) => {
  expect(userIdIn(answer)).toBe(userId);
});
