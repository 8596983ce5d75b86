import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { HistoryQuery, TransactionQuery } from "./accounts";
import { WalletsQuery } from "./crypto";
import { KycListQuery } from "./kyc";
import { CheckOnboardingQuery } from "./onboarding";

const accepts = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success;

describe("a query", () => {
  const period = {
    accountId: "acc-0001",
    documentNumber: "52998224725",
    initialDate: "2026-03-01",
    endDate: "2026-03-31",
  };

  it("requires real days in order for a statement", () => {
    expect(HistoryQuery.parse(period)).toMatchObject({ limit: 50, page: 1, onlyPixEntries: false });
    expect(accepts(HistoryQuery, { ...period, endDate: "2026-03-01" })).toBe(true);
    expect(accepts(HistoryQuery, { ...period, endDate: "2026-02-28" })).toBe(false);
    expect(accepts(HistoryQuery, { ...period, endDate: "2026-02-30" })).toBe(false);
    expect(accepts(HistoryQuery, { ...period, initialDate: "01-03-2026" })).toBe(false);
  });

  it("parses numbers and flags from a query string", () => {
    expect(HistoryQuery.parse({ ...period, limit: "500", page: "2", onlyPixEntries: "true" })).toMatchObject({
      limit: 500,
      page: 2,
      onlyPixEntries: true,
    });
    for (const odd of [{ limit: "501" }, { limit: "0" }, { page: "-1" }, { page: "x" }, { onlyPixEntries: "yes" }]) {
      expect(accepts(HistoryQuery, { ...period, ...odd })).toBe(false);
    }
  });

  it("filters a receipt by credits or debits only", () => {
    const named = { transactionId: "tx-1", documentNumber: "52998224725" };
    expect(TransactionQuery.parse(named)).toEqual(named);
    expect(TransactionQuery.parse({ ...named, cashIn: "true" })).toMatchObject({ cashIn: true });
    for (const odd of [{ cashIn: "1" }, { transactionUUID: "" }]) {
      expect(accepts(TransactionQuery, { ...named, ...odd })).toBe(false);
    }
  });

  it("starts a query for wallets at the first one", () => {
    expect(WalletsQuery.parse({})).toMatchObject({ limit: 50, offset: 0 });
  });

  it("returns twenty KYC processes of the first page by default", () => {
    expect(KycListQuery.parse({})).toEqual({ page: 1, limit: 20 });
    expect(accepts(KycListQuery, { limit: "101" })).toBe(false);
  });

  it("accepts any id format for an onboarding", () => {
    expect(CheckOnboardingQuery.parse({ onBoardingId: "whatever/the provider:likes" })).toEqual({
      onBoardingId: "whatever/the provider:likes",
    });
    expect(accepts(CheckOnboardingQuery, { onboardingId: "x" })).toBe(false);
  });
});
