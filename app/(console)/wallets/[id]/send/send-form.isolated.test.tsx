import { NextIntlClientProvider } from "next-intl";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it, vi } from "vitest";
import type { ReactNode } from "react";
import english from "@/messages/en.json";
import type { KnownNetwork } from "./send-fields";
import { SendForm } from "./send-form";
import { SendOutcome } from "./send-outcome";

vi.mock("@/lib/wallets/actions", () => ({ reviewSend: () => undefined, sendCoins: () => undefined }));
vi.mock("@/components/session/scope", () => ({ useScope: () => ({ id: "s" }), useUnsaved: () => undefined }));
vi.mock("next/navigation", () => ({ useRouter: () => ({}), unstable_rethrow: () => undefined }));

const shown = (children: ReactNode) =>
  renderToStaticMarkup(
    <NextIntlClientProvider locale="en" messages={english} timeZone="America/Sao_Paulo">
      {children}
    </NextIntlClientProvider>,
  );

const wallet = { id: "w", address: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", label: "Treasury" };
const held = { network: "XRPL", balance: "1", decimals: 6, doubt: null, tokenAddress: null, asset: "XRP" } as const;
const known = (changes: Partial<KnownNetwork>): KnownNetwork => ({
  network: "XRPL",
  asOf: "2026-07-01T12:00:00Z",
  trouble: null,
  balances: [held, { ...held, asset: "USD", tokenAddress: "USD.rIssuer", balance: "20" }],
  ...changes,
});
const form = (networks: KnownNetwork[], empty: ReactNode = null) =>
  shown(<SendForm wallet={wallet} networks={networks} empty={empty} />);

it("offers the network's coin and the wallet's tokens, with each balance's age", () => {
  const html = form([known({})]);
  for (const told of [
    "XRP, the network’s coin",
    "20</span> USD",
    "USD.rIssuer",
    "Balance read on 01 Jul 2026",
    "Treasury",
  ])
    expect(html).toContain(told);
  expect(html).toContain("destination tag");
  expect(form([known({ balances: [] })])).toContain("balance not reported");
});

it("says that a balance may be old, and whether the provider was asked", () => {
  const failed = form([known({ trouble: { as: "failed" } })]);
  expect(failed).toContain("The last read failed. The balance may have changed.");
  const putOff = form([known({ trouble: { as: "put-off", until: "2026-07-01T12:00:22Z" } })]);
  expect(putOff).toContain("our calls to the provider are used up for now. It can be read again from 09:00:22");
  expect(putOff).not.toContain("failed");
  expect(form([known({})])).not.toContain("may have changed");
});

it("lets a person choose the network when the address fits three", () => {
  const html = form([known({ network: "ETHEREUM" }), known({ network: "POLYGON" }), known({ network: "BSC" })]);
  for (const network of ["Ethereum", "Polygon", "BNB Chain"]) expect(html).toContain(network);
  expect(html).not.toContain('checked=""');
});

it("shows only that there is nothing to send when the balance is zero", () => {
  expect(form([known({})], <p>Nothing</p>)).toBe("<p>Nothing</p>");
});

const outcome = (as: Parameters<typeof SendOutcome>[0]["as"]) =>
  shown(<SendOutcome walletId="w" as={as} onAgain={() => undefined} />);

it("offers no new transfer while an earlier one is unconfirmed", () => {
  expect(outcome({ state: "UNCONFIRMED" })).not.toContain("Send another");
  expect(outcome({ state: "UNCONFIRMED" })).toContain('href="/outcomes"');
  expect(outcome({ state: "PROPOSED", approvalId: "a" })).toContain('href="/approvals/a"');
});

it("shows the hash of a sent transfer, linked when possible", () => {
  const txHash = "A".repeat(64);
  const link = { href: `https://livenet.xrpl.org/transactions/${txHash}`, host: "livenet.xrpl.org" };
  expect(outcome({ state: "DONE", hash: { txHash, link } })).toContain(`href="${link.href}"`);
  expect(outcome({ state: "DONE", hash: { txHash, link: null } })).toContain(txHash);
  expect(outcome({ state: "DONE", hash: { txHash, link: null } })).not.toContain("livenet");
});

it("shows the case and deadline of a transfer held by antifraud", () => {
  const html = outcome({ state: "HELD", antifraudId: "af-7", until: "2026-07-01T12:00:00Z" });
  expect(html).toContain("af-7");
  expect(html).toContain("decides by 01 Jul 2026");
});
