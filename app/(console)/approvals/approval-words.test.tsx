import { NO_LIMITS } from "@/lib/permission/limits";
import { createTranslator, NextIntlClientProvider } from "next-intl";
import type { ComponentProps, ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import type { ApprovalState } from "@/lib/db/enums/approvals";
import english from "@/messages/en.json";
import portuguese from "@/messages/pt-BR.json";
import { ApprovalAmount, ApprovalSummary, approvalTitle } from "./approval-words";
import { ShownValue } from "./shown-value";

const LANGUAGES = { en: english, "pt-BR": portuguese } as const;

const markupIn = (locale: keyof typeof LANGUAGES, node: ReactNode) =>
  renderToStaticMarkup(
    <NextIntlClientProvider locale={locale} messages={LANGUAGES[locale]} timeZone="America/Sao_Paulo">
      {node}
    </NextIntlClientProvider>,
  ).replaceAll("\u00a0", " ");

const shownIn = (locale: keyof typeof LANGUAGES, value: ComponentProps<typeof ShownValue>["value"]) =>
  markupIn(locale, <ShownValue value={value} />);

describe("why a payment to a new payee needs approval", () => {
  const why = { as: "why", by: "first-sum", limit: "1000.00" } as const;

  it("shows what the payee already received that day", () => {
    const earlier = { ...why, sum: "990.00", count: 1 };
    expect(shownIn("pt-BR", earlier)).toContain("já tinha recebido R$ 990,00");
    expect(shownIn("en", earlier)).toContain("already received R$990.00");
  });

  it("says that the payee had no earlier payment", () => {
    const first = { ...why, sum: "0.00", count: 0 };
    expect(shownIn("pt-BR", first)).toBe("Favorecido novo naquele dia; segunda aprovação a partir de R$ 1.000,00");
    expect(shownIn("en", first)).not.toContain("0.00 ");
  });
});

type Parties = NonNullable<ComponentProps<typeof ApprovalSummary>["row"]["parties"]>;

const toIn = (
  locale: keyof typeof LANGUAGES,
  network: "ETHEREUM" | null,
  { state = "PENDING", ...changes }: Partial<Parties> & { state?: ApprovalState } = {},
) =>
  markupIn(
    locale,
    <ApprovalSummary
      row={{
        state,
        headline: { as: "text", text: "1" },
        gist: null,
        parties: { from: "0x1", to: "0x5aAe…", isFirstUse: false, network, ...changes },
        makerName: "Rui Prado",
        isMine: false,
        moved: null,
      }}
    />,
  ).replaceAll(/<[^>]*>/g, "");

it("marks a payee that was new when requested, until the request is decided", () => {
  const first = { isFirstUse: true };
  expect(toIn("pt-BR", "ETHEREUM", first)).toContain("endereço novo ao pedir");
  expect(toIn("en", null, first)).toContain("new payee when requested");
  for (const state of ["READY", "AUTHORISED", "EXECUTED", "REFUSED"] as const)
    expect(toIn("en", "ETHEREUM", { ...first, state })).not.toContain("new address");
  expect(toIn("en", "ETHEREUM")).not.toContain("new address");
});

it("tells a screen reader whether an account or an address is paid", () => {
  expect(toIn("pt-BR", "ETHEREUM")).toContain("Para o endereço: 0x5aAe…");
  expect(toIn("en", "ETHEREUM")).toContain("To address: 0x5aAe…");
  expect(toIn("en", null)).toContain("To account: 0x5aAe…");
});

describe("a request to loosen a policy", () => {
  const headline = { as: "kind", kind: "transfer.external" } as const;
  const limits = { ...NO_LIMITS, personSum: "10000.00", payeeSum: "5000.00", personCount: 20 };
  const before = { as: "rule", rule: "above", amount: "5000.00", limits } as const;

  const summaryOf = (gist: ComponentProps<typeof ApprovalSummary>["row"]["gist"]) =>
    markupIn(
      "pt-BR",
      <ApprovalSummary
        row={{ state: "PENDING", headline, gist, parties: null, makerName: "Rui Prado", isMine: false, moved: null }}
      />,
    ).replaceAll(/<[^>]*>/g, "");

  it("names its policy in its title", () => {
    const t = createTranslator({ locale: "pt-BR", messages: portuguese, namespace: "writes" });
    expect(approvalTitle({ kind: "policy.loosen", headline }, t, "pt-BR")).toBe("Regra de aprovação mais branda · TED");
    expect(approvalTitle({ kind: "kyc.rules", headline: { as: "kind", kind: "kyc.rules" } }, t, "pt-BR")).toBe(
      t("kyc.rules"),
    );
  });

  it("shows only the terms that change", () => {
    const after = { ...before, limits: { ...limits, payeeSum: "6000.00", personCount: null } };
    const summary = summaryOf({ before, after });
    expect(summary).toContain(
      "Antes: mais de 20 transferências por pessoa no dia; soma de R$ 5.000,00 por favorecido no dia →",
    );
    expect(summary).toContain("Depois: sem este limite; soma de R$ 6.000,00 por favorecido no dia");
    expect(summary).not.toContain("R$ 10.000,00");
  });

  it("shows a request without stored limits", () => {
    const old = { as: "rule", rule: "above", amount: "1000.00" } as const;
    expect(summaryOf({ before: old, after: { ...old, rule: "never", amount: null } })).toContain(
      "Antes: A partir de R$ 1.000,00 → Depois: Nunca",
    );
  });
});

it("names no amount in a summary beside the amount's own column", () => {
  const row = {
    state: "PENDING",
    headline: { as: "brl", decimal: "1234567.89" },
    gist: null,
    parties: { from: "0001 / 12", to: "0001 / 34", isFirstUse: false, network: null },
    makerName: "Rui Prado",
    isMine: false,
    moved: null,
  } as const;
  const whole = markupIn("en", <ApprovalSummary row={row} />);
  const apart = markupIn("en", <ApprovalSummary row={row} isAmountApart />);
  expect(whole).toContain("R$1,234,567.89");
  expect(apart).not.toContain("1,234,567.89");
  expect(apart.replaceAll(/<[^>]*>/g, "")).toMatch(/^0001/);
  expect(markupIn("en", <ApprovalAmount headline={row.headline} />)).toContain("R$1,234,567.89");
});
