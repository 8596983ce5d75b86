import { NextIntlClientProvider } from "next-intl";
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import english from "@/messages/en.json";
import type { ChainMovement } from "@/lib/wallets/view";
import { MovementTable, Readings } from "./wallet-history";

const movement: ChainMovement = {
  id: "1",
  state: "confirmed",
  status: null,
  basis: "told",
  network: "POLYGON",
  hash: "0xfeed",
  subtype: "incoming",
  direction: "in",
  amount: "1234.000000000000000001",
  asset: "USDT",
  tokenAddress: "0xc0ffee",
  counterparty: { address: "0xabc", walletId: null, label: null, use: null, poses: "0xabd" },
  blockNumber: "7",
  at: "2026-07-01T12:00:00Z",
  toldFee: null,
  derivedFee: null,
  explorer: null,
};

const inWords = (node: ReactNode) =>
  renderToStaticMarkup(
    <NextIntlClientProvider locale="en" messages={english} timeZone="America/Sao_Paulo">
      {node}
    </NextIntlClientProvider>,
  );

it("names a movement's network, asset and counterparty at any window width", () => {
  const shown = inWords(<MovementTable movements={[movement]} />);
  for (const told of ["Polygon", "1,234.000000000000000001", "USDT", "0xabc", "looks like 0xabd, which was paid"])
    expect(shown).toContain(told);
  expect(shown).not.toContain("data-from");
});

const withFee = (changes: Partial<ChainMovement>) =>
  inWords(<MovementTable movements={[{ ...movement, derivedFee: "0.5", ...changes }]} />);

const moved = (direction: ChainMovement["direction"]) =>
  inWords(<MovementTable movements={[{ ...movement, amount: "1.5", direction }]} />);

it("signs what came in and what went out as a statement does", () => {
  expect(moved("in")).toMatch(
    /<span class="text-positive"><span[^>]*><bdi><span class="whitespace-nowrap">\+1\.5<\/span>/,
  );
  expect(moved("out")).toContain(">−1.5</span>");
  expect(moved(null)).toContain(">1.5</span>");
});

it("says the fee as told rather than as derived", () => {
  expect(withFee({})).toContain("Fee 0.5 POL, derived from the balance");
  const told = withFee({ toldFee: "0.4" });
  expect(told).toContain("Fee 0.4 POL, as told by the provider");
  expect(told).not.toContain("0.5");
});

it("says whether the provider was asked about an unread network", () => {
  const reading = { network: "BSC", asOf: null, isWhole: false, unread: 0 } as const;
  const told = (trouble: Parameters<typeof Readings>[0]["readings"][number]["trouble"]) =>
    inWords(<Readings readings={[{ ...reading, trouble, gaps: null }]} />).replaceAll(/<[^>]+>/g, "");
  expect(told({ as: "failed" })).toBe("BNB Chain: not read yet. The last read failed.");
  const putOff = told({ as: "put-off", until: "2026-07-01T12:00:22Z" });
  expect(putOff).toContain("not read yet. Not read now: our calls to the provider are used up for now.");
  expect(putOff).toContain("from 09:00:22");
});

it("says how far a balance is from what the movements add up to", () => {
  const of = [{ asset: "SOL", sum: "38.0864242", difference: "-14.472844296" }];
  const reading = { network: "SOLANA", asOf: "2026-07-01T12:00:00Z", isWhole: true, unread: 0, trouble: null } as const;
  const told = inWords(<Readings readings={[{ ...reading, gaps: { at: "2026-07-01T11:59:00Z", of } }]} />);
  expect(told.replaceAll(/<[^>]+>/g, "")).toContain(
    "these movements add up to 38.0864242 SOL; the balance read then was 14.472844296 SOL less.",
  );
});
