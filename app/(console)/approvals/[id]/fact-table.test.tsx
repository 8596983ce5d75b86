import { NextIntlClientProvider } from "next-intl";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import portuguese from "@/messages/pt-BR.json";
import { Shown } from "@/lib/approvals/snapshot";
import { FactTable } from "./fact-table";

const ADDRESS = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

function told(facts: { name: string; after: object }[]) {
  const { headline: _headline, ...shown } = Shown.parse({
    headline: { as: "coins", amount: "12.5", asset: "USDC" },
    href: null,
    facts: facts.map((fact) => ({ ...fact, before: null })),
  });
  const html = renderToStaticMarkup(
    <NextIntlClientProvider locale="pt-BR" messages={portuguese} timeZone="America/Sao_Paulo">
      <FactTable kind="crypto.transfer" facts={shown.facts} label="Dados" hasBefore={false} />
    </NextIntlClientProvider>,
  );
  return html.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
}

it("shows coins in the reader's decimals, with the network and a grouped address", () => {
  const labelled = { byName: "Ana", at: "2026-07-01T12:00:00Z", isOfMaker: true, isRecent: true };
  const text = told([
    { name: "amount", after: { as: "coins", amount: "12.5", asset: "USDC" } },
    { name: "network", after: { as: "network", network: "BSC" } },
    { name: "to", after: { as: "address", address: ADDRESS } },
    { name: "ours", after: { as: "wallet", walletId: "w", told: "customer", label: "Tesouraria", labelled } },
    { name: "alike", after: { as: "alike", found: [{ address: "0x5aAe00", as: "paid" }] } },
    { name: "firstUse", after: { as: "text", text: "" } },
    { name: "over", after: { as: "held", balance: "5.25", asset: "USDC", asOf: "2026-07-01T12:00:00Z" } },
  ]);
  const words = [
    "12,5 USDC",
    "BNB Chain",
    "Para o endereço 0x 5aAe b605",
    "Carteira de um cliente, segundo o provedor Etiqueta “Tesouraria”, de Ana, em 01/07/2026 09:00",
    "Quem pediu este envio escreveu a etiqueta. A etiqueta tinha menos de sete dias.",
    "Parece com 0x 5aAe 00 Já recebeu envios",
    "Primeiro envio a este",
    "5,25",
  ];
  for (const word of words) expect(text).toContain(word);
});

it("reads coins stored by an earlier version", () => {
  const text = told([
    { name: "amount", after: { as: "text", text: "12.5" } },
    { name: "network", after: { as: "text", text: "POLYGON" } },
    { name: "from", after: { as: "text", text: ADDRESS } },
    { name: "ours", after: { as: "wallet", walletId: "w", label: "Tesouraria" } },
  ]);
  for (const word of ["12.5", "POLYGON", "Etiqueta “Tesouraria”", `Da carteira ${ADDRESS}`])
    expect(text).toContain(word);
});
