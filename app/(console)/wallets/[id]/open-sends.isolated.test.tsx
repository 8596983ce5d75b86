import { NextIntlClientProvider } from "next-intl";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it, vi } from "vitest";
import english from "@/messages/en.json";
import type { OpenSend } from "@/lib/wallets/view";
import { OpenSends } from "./open-sends";

vi.mock("@/components/live/live-refresh", () => ({ LiveRefresh: () => null }));

const order = {
  network: "POLYGON",
  to: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
  amount: "12.5",
  asset: "USDC",
} as const;
const waiting: OpenSend = {
  intentId: "i",
  state: "WAITING",
  approvalId: "a",
  isShown: true,
  order,
  antifraudId: null,
  until: null,
  candidates: [],
};

const shown = (sends: OpenSend[]) =>
  renderToStaticMarkup(
    <NextIntlClientProvider locale="en" messages={english} timeZone="America/Sao_Paulo">
      <OpenSends sends={sends} seesOutcomes />
    </NextIntlClientProvider>,
  );

it("lists each send that waits for approval or is unconfirmed, with its link", () => {
  const html = shown([waiting, { ...waiting, intentId: "u", state: "UNKNOWN", approvalId: null, order: null }]);
  expect(html).toMatch(/href="\/approvals\/a"[^>]*>12\.5 USDC to 0x5aAeb605…Ef1BeAed waits for approval</);
  expect(html).toMatch(/href="\/outcomes"[^>]*>A transfer that can’t be read is unconfirmed</);
  expect(shown([])).toBe("");
});

it("links no proposal that the reader may not see", () => {
  expect(shown([{ ...waiting, isShown: false }])).not.toContain("href");
});
