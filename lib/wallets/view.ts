import type { ReportedField } from "@/lib/text/reported-fields";

export const OTC_FIELDS = [
  "id",
  "status",
  "side",
  "asset",
  "network",
  "tokenAddress",
  "quantity",
  "price",
  "total",
  "currency",
  "createdAt",
  "settledAt",
  "clientId",
] as const;
export type OtcField = (typeof OTC_FIELDS)[number];

/** As the provider told at `asOf`; fields that are not understood have no name. */
export type OtcTrade = { id: string; fields: ReportedField<OtcField>[]; asOf: string };
