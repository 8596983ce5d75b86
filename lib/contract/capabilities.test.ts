import { expect, it } from "vitest";
import { CAPABILITIES } from "./capabilities";

const { asset, fee, reference, accountPages, accountUser, kycTotal, kycLink, statementPages, returnOf } = CAPABILITIES;

it("tells a told part from one that no entry has, and from an empty list", () => {
  expect(fee.isTold({ data: [{ hash: "a" }, { hash: "b", fee: "0.1" }] })).toBe(true);
  expect(asset.isTold({ data: [{ hash: "a" }] })).toBe(false);
  expect(asset.isTold({ data: [] })).toBeNull();
  expect(asset.isTold({ items: [{ asset: "USDT" }] })).toBeNull();
  expect(reference.isTold({ data: [{ reference: " " }] })).toBe(false);
  expect(reference.isTold({ data: [{ reference: "order-7" }] })).toBe(true);
});

it("reads undocumented answers by the names that the console knows", () => {
  const answer = { resposta: { contas: [{ idConta: "a-1", usuario_id: "u-1" }], totalPaginas: 3 } };
  expect(accountUser.isTold(answer)).toBe(true);
  expect(accountPages.isTold(answer)).toBe(true);
  expect(returnOf.isTold({ data: { transactions: [{ originalTransactionId: "t-1" }] } })).toBe(true);
});

it("knows whether lists say how long they are", () => {
  expect(kycTotal.isTold({ page: 1, limit: 20, result: [] })).toBe(false);
  expect(kycTotal.isTold({ page: 1, limit: 20, result: [], totalElements: 41 })).toBe(true);
  expect(statementPages.isTold({ data: { transactions: [], totalPages: null } })).toBe(false);
  expect(statementPages.isTold({ data: { transactions: [], totalPages: 4 } })).toBe(true);
  expect(kycLink.isTold({ result: [{ webviewUrls: [{ url: "https://a.example" }] }] })).toBe(true);
});
