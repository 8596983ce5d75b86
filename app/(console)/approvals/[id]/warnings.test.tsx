import { NextIntlClientProvider } from "next-intl";
import type { ComponentProps } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import english from "@/messages/en.json";
import portuguese from "@/messages/pt-BR.json";
import type { ApprovalKindName } from "@/lib/permission/writes";
import { RequestWarnings } from "./warnings";

const LANGUAGES = { en: english, "pt-BR": portuguese } as const;
type Props = ComponentProps<typeof RequestWarnings>;

const NOW = "2026-03-02T12:00:00.000Z";

const recordOf = (kind: ApprovalKindName, changes: Partial<Props["record"]> = {}): Props["record"] => ({
  row: {
    id: "a-1",
    kind,
    headline: null,
    gist: null,
    parties: null,
    decision: "may",
    owes: null,
    isRefusable: false,
    account: null,
    makerName: "Rui Prado",
    isMine: false,
    createdAt: NOW,
    expiresAt: "2026-03-03T12:00:00Z",
    state: "PENDING",
    word: "PENDING",
    moved: null,
  },
  shown: { headline: { as: "brl", decimal: "10500.00" }, href: null, facts: [] },
  beside: [],
  closingRef: null,
  asOf: NOW,
  ...changes,
});

const warned = (given: Pick<Props, "record"> & Partial<Props>, locale: keyof typeof LANGUAGES = "en") =>
  renderToStaticMarkup(
    <NextIntlClientProvider locale={locale} messages={LANGUAGES[locale]} timeZone="America/Sao_Paulo">
      <RequestWarnings silentSince={null} coins={null} {...given} />
    </NextIntlClientProvider>,
  )
    .replaceAll("\u00a0", " ")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ");

const payer: NonNullable<Props["payer"]> = {
  ref: "r",
  balance: "4516.55",
  blocked: "12000.00",
  at: NOW,
  isEarlier: false,
  isBefore: false,
  left: { sum: "0.00", count: 0 },
  rest: "4516.55",
  waiting: { sum: "0.00", count: 0 },
  arriving: { sum: "0.00", count: 0 },
  closing: [],
  isShort: false,
  isShortTogether: false,
};

const firstUse = (after: object): Props["record"]["shown"] => ({
  headline: { as: "coins", amount: "0.5", asset: "BNB" },
  href: null,
  facts: [
    { name: "network", before: null, after: { as: "network", network: "BSC" } },
    { name: "firstUse", before: null, after: { as: "networks", networks: [], ...after } },
  ],
});

it("is empty where nothing speaks against it", () => {
  expect(warned({ record: recordOf("transfer.internal"), payer })).toBe("");
});

it("tells which account of a transfer is closed or being closed", () => {
  const record = recordOf("transfer.internal");
  const from = { ...payer, closing: [{ party: "from", state: "CLOSED" } as const] };
  expect(warned({ record, payer: from })).toContain("The account it leaves is closed.");
  const to = { ...payer, closing: [{ party: "to", state: "CLOSING" } as const] };
  expect(warned({ record, payer: to })).toContain("The closure of the account it goes to was requested.");
});

it("tells what waits to be sent to an account that is to be closed", () => {
  const record = { ...recordOf("account.close"), closingRef: "r" };
  const arriving = { sum: "6000.00", count: 1 };
  expect(warned({ record, payer: { ...payer, arriving } })).toContain(
    "R$6,000.00 to this account waits for approval, in 1 request.",
  );
});

it("names the balance that is less than the transfer, and what else waits", () => {
  const short = { ...payer, isShort: true, waiting: { sum: "900.00", count: 2 } };
  const text = warned({ record: recordOf("transfer.internal"), payer: short }, "pt-BR");
  expect(text).toContain("O saldo, R$ 4.516,55, é menor do que esta transferência.");
  expect(text).toContain("Mais R$ 900,00 aguardam nesta conta, em 2 solicitações.");
});

it("tells a balance that could not be read now, and one that never was", () => {
  const record = recordOf("transfer.external");
  expect(warned({ record, payer: { ...payer, isEarlier: true } })).toContain("The one shown was read on 02 Mar 2026");
  expect(warned({ record, payer: null })).toContain(english.approvals.payer.never);
});

it("tells the first payment to a payee, and a repeated one", () => {
  const text = { as: "text", text: "" } as const;
  const shown = {
    headline: text,
    href: null,
    facts: [
      { name: "firstUse", before: null, after: text },
      { name: "repeat", before: null, after: text },
    ],
  } satisfies Props["record"]["shown"];
  const told = warned({ record: recordOf("transfer.internal", { shown }), payer });
  expect(told).toContain(english.approvals.isFirstUse);
  expect(told).toContain(english.approvals.repeated);
});

const on = (networks: string[], locale: keyof typeof LANGUAGES = "en") =>
  warned({ record: recordOf("crypto.transfer", { shown: firstUse({ networks }) }) }, locale);

it("tells on which network an address is new, and where coins went to it before", () => {
  expect(on([])).toContain("First transfer to this address on BNB Chain");
  expect(on([])).not.toContain("Confirmed earlier");
  expect(on(["ETHEREUM", "POLYGON"])).toContain("Confirmed earlier on Ethereum, Polygon.");
  expect(on(["POLYGON"], "pt-BR")).toContain("na rede BNB Chain");
  expect(on(["POLYGON"], "pt-BR")).toContain("Já confirmado antes em Polygon.");
});

const hints = {
  balance: "0.5",
  asOf: NOW,
  left: null,
  held: null,
  rest: "0",
  fee: { coin: "BNB", balance: "0.5" },
  isAll: true,
  isOfToken: false,
  hasReserve: false,
  waiting: null,
};

it.each([
  ["nothing left for the fee", {}, "This is all the BNB in the wallet"],
  ["less than the transfer", { rest: "-0.25", isAll: false }, "0.25 BNB less than this transfer"],
  ["a balance from four minutes ago", { asOf: "2026-03-02T11:56:00.000Z" }, "could not be read now"],
  ["a balance that is not known", { balance: null, asOf: null, rest: null, isAll: false }, english.sendHints.untold],
])("warns of a wallet with %s", (_, changes, words) => {
  const coins = { asset: "BNB", hash: null, candidates: [], hints: { ...hints, ...changes } };
  expect(warned({ record: recordOf("crypto.transfer"), coins })).toContain(words);
});

it("sums what else waits for a wallet, and says what blocks a closing", () => {
  const beside = [{ asset: "USDC", network: "POLYGON", sum: "7.00", count: 1 }] as const;
  expect(warned({ record: recordOf("crypto.transfer", { beside: [...beside] }) })).toContain("more on Polygon waits");
  const text = warned({ record: recordOf("account.close", { closingRef: "r" }), payer });
  expect(text).toContain(english.closing.obstacle.balance);
  expect(text).toContain(english.closing.obstacle.blocked);
});

const silent = (kind: ApprovalKindName) => warned({ record: recordOf(kind), silentSince: NOW });

it("tells since when the provider is silent, and what comes of authorising meanwhile", () => {
  expect(silent("crypto.transfer")).toMatch(/no valid answer from the provider since .* nothing is sent/);
  expect(silent("transfer.external")).toContain("stays unconfirmed");
  expect(silent("account.close")).toBe("");
});

it("tells that the case changed since its decision was requested", () => {
  const record = recordOf("kyc.decision");
  const moved = { from: "APPROVED", to: "PENDING", at: NOW };
  expect(warned({ record: { ...record, row: { ...record.row, moved } } })).toContain(
    "The case is To decide now, first seen so on 02 Mar 2026 09:00; it was Approved when this was requested.",
  );
  expect(
    warned({ record: { ...record, row: { ...record.row, moved: { ...moved, to: "unknown:REVISAR" } } } }),
  ).toContain("The case is REVISAR now");
  expect(warned({ record: { ...record, row: { ...record.row, moved: { ...moved, to: "APPROVED" } } } })).toContain(
    "The case changed after this was requested and is Approved again",
  );
});
