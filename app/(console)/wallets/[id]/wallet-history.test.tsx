import { NextIntlClientProvider } from "next-intl";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import english from "@/messages/en.json";
import type { ChainMovement } from "@/lib/wallets/view";
import { MovementTable } from "./wallet-history";

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
  derivedFee: null,
  explorer: null,
};

it("names the network, the asset and the counterparty of a movement in a window of any width", () => {
  const shown = renderToStaticMarkup(
    <NextIntlClientProvider locale="en" messages={english} timeZone="America/Sao_Paulo">
      <MovementTable movements={[movement]} />
    </NextIntlClientProvider>,
  );
  for (const told of ["Polygon", "1,234.000000000000000001", "USDT", "0xabc", "looks like 0xabd, which was paid"])
    expect(shown).toContain(told);
  expect(shown).not.toContain("data-from");
});
