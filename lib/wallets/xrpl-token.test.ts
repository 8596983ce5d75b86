import { expect, it } from "vitest";
import { BalanceEntry } from "@/lib/contract/crypto";
import { issuedIn } from "./xrpl-token";

const ISSUER = "rvYAfWj5gh67oV6fW32ZzP3Aw4Eubs59B";
const HEX = "524C555344000000000000000000000000000000";
const read = (told: object) => issuedIn(BalanceEntry.parse({ balance: "1", ...told }));

it.each([
  [{ asset: "USD", tokenAddress: `USD.${ISSUER}` }, "USD"],
  [{ asset: "USD", tokenAddress: `${ISSUER}:USD` }, "USD"],
  [{ asset: "Dollar", tokenAddress: `USD+${ISSUER}` }, "USD"],
  [{ asset: "USD", tokenAddress: ISSUER }, "USD"],
  [{ asset: HEX, tokenAddress: ISSUER }, HEX],
  [{ asset: "RLUSD", currency: HEX, issuer: ISSUER }, HEX],
  [{ asset: "RLUSD", moeda: HEX, emissor: { endereco: ISSUER } }, HEX],
  [{ asset: "RLUSD", tokenAddress: HEX, issuerAddress: ISSUER }, HEX],
])("reads currency and issuer of %j", (told, currency) => {
  expect(read(told)).toEqual({ currency, issuer: ISSUER });
});

it.each([
  { asset: "XRP" },
  { asset: "XRP", tokenAddress: ISSUER },
  { asset: "USD", tokenAddress: "USD" },
  { asset: "RLUSD", tokenAddress: ISSUER },
  { asset: "EUR", tokenAddress: `USD.${ISSUER}` },
  { asset: "USD", currency: "EUR", tokenAddress: `USD.${ISSUER}` },
  { asset: "USD", issuer: "rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe", tokenAddress: `USD.${ISSUER}` },
])("finds no token in an incomplete or contradictory answer: %j", (told) => {
  expect(read(told)).toBeNull();
});
