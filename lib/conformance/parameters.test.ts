import { expect, it } from "vitest";
import { explorableReads } from "./parameters";

const of = (wanted: string) => explorableReads().find(({ name }) => name === wanted)?.parameters ?? [];
const inShort = (wanted: string) =>
  of(wanted).map(({ name, place, kind, isRequired }) => `${place} ${name} ${kind}${isRequired ? "" : "?"}`);

it("has a field for each parameter of the contract", () => {
  expect(inShort("getHistory")).toEqual([
    "query accountId text",
    "query documentNumber document",
    "query initialDate date",
    "query endDate date",
    "query limit number?",
    "query page number?",
    "query onlyPixEntries flag?",
    "query targetAccountId text?",
  ]);
  expect(inShort("getWalletHistory")).toEqual([
    "path address text",
    "query network choice",
    "query page number?",
    "query pageSize number?",
    "query tokenAddress text?",
  ]);
  expect(inShort("getPersonInfo")).toEqual(["query accountId text", "query documentNumber document"]);
  expect(inShort("getOtcTrade")).toEqual(["path id text"]);
});

it("has every GET of the contract but the look-up of a PIX key", () => {
  expect(explorableReads().map(({ operation }) => operation)).toHaveLength(13);
  expect(explorableReads().every(({ operation }) => operation.startsWith("GET /v1/"))).toBe(true);
  expect(of("listWallets").find(({ name }) => name === "network")?.options).toContain("EVM");
  expect(of("listWallets").find(({ name }) => name === "limit")).toMatchObject({ least: 1, most: 500 });
});
