import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { NextIntlClientProvider } from "next-intl";
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { listedFields } from "@/lib/dossiers/pdf";
import english from "@/messages/en.json";
import { AuditDetails, ChangeShown, FactValue } from "./audit-details";

it("shows an unknown status in facts, changes and dossiers as the provider wrote it", () => {
  const value = "unknown:EM_ANALISE\u202E";
  const shown = renderToStaticMarkup(
    <NextIntlClientProvider locale="en" messages={english} timeZone="America/Sao_Paulo">
      <FactValue name="status" value={value} named={{}} />
      <ChangeShown change={{ name: "status", before: value, after: "APPROVED" }} />
    </NextIntlClientProvider>,
  );
  expect(shown).toContain("EM_ANALISE");
  expect(shown).not.toContain("unknown:");
  expect(shown).not.toContain("\u202E");
  expect(listedFields({ status: value })).not.toContain("unknown:");
});

const marked = (node: ReactNode) =>
  renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <NextIntlClientProvider locale="en" messages={english} timeZone="America/Sao_Paulo">
        {node}
      </NextIntlClientProvider>
    </QueryClientProvider>,
  );

it.each([
  ["path", "data.person.fullName", english.accountRecord.fields.fullName],
  ["path", "RESULTADO[0].numeroTelefone", "numero telefone"],
  ["issuedBy", "watch:sessions", "sessions"],
])("shows %s %s in words", (name, value, words) => {
  const shown = marked(<FactValue name={name} value={value} named={{}} />);
  expect(shown).toContain(words);
  expect(shown).not.toContain(value);
});

it("names the model of a KYC case", () => {
  const shown = marked(<FactValue name="model" value="COMPLETE" named={{}} />);
  expect(shown).toContain(english.audit.values.model.COMPLETE);
});

it("says the kind of a write by its name", () => {
  const shown = marked(<FactValue name="kind" value="transfer.external" named={{}} />);
  expect(shown).toContain(english.writes.transfer.external);
  expect(marked(<FactValue name="kind" value="of-another-version" named={{}} />)).toContain("of-another-version");
});

it("says the reason of a reveal in place of its hash", () => {
  const row = {
    seq: 7,
    at: "2026-11-22T13:00:00.000Z",
    code: "personal-data.reveal",
    outcome: "DONE" as const,
    actor: "nobody",
    byName: "Ana Prado",
    object: "account:2b0c",
    objectName: null,
    intentId: "6f1c",
    detail: { field: "document", reason: "service", note: "k1:0f0f", under: "77aa" },
    named: {},
    hash: "0f",
  };
  const reasons = { "6f1c": { choice: "service", note: "Protocolo 8731" } } as const;
  const shown = marked(<AuditDetails row={row} known={{ names: {}, reasons }} />);
  expect(shown).toContain(`${english.privacy.reasons.service}: <bdi>Protocolo 8731</bdi>`);
  expect(shown).not.toMatch(/k1:0f0f|77aa/);
});

it("names a revealed field and whose it is in one line", () => {
  const row = {
    seq: 9,
    at: "2026-11-22T13:00:00.000Z",
    code: "personal-data.reveal",
    outcome: "DONE" as const,
    actor: "nobody",
    byName: "Ana Prado",
    object: "account:2b0c",
    objectName: null,
    intentId: null,
    detail: { field: "information", path: "legalPerson.owner[1].motherName" },
    named: {},
    hash: "0f",
  };
  const shown = marked(<AuditDetails row={row} known={{ names: {}, reasons: {} }} />);
  expect(shown).toContain(`Partner 2 · ${english.accountRecord.fields.motherName}`);
  expect(shown).not.toContain(english.audit.facts.path);
  expect(shown).not.toContain("information");
});

it("shows a label, a wallet's kind and a link to a deposit address", () => {
  const row = {
    seq: 8,
    at: "2026-11-22T13:00:00.000Z",
    code: "wallets.create",
    outcome: "DONE" as const,
    actor: "nobody",
    byName: "Ana Prado",
    object: "wallet-request:6f1c",
    objectName: null,
    intentId: null,
    detail: { kind: "wallet.address", label: "Ágata", walletUse: "customer" },
    named: {},
    hash: "0f",
  };
  const known = { names: { "wallet-request:6f1c": "0x12…ab" }, reasons: {} };
  const shown = marked(<AuditDetails row={row} known={known} />);
  expect(shown).toContain(english.audit.addressCreated);
  for (const word of [
    english.audit.facts.label,
    english.audit.facts.walletUse,
    english.audit.values.walletUse.customer,
  ])
    expect(shown).toContain(word);
  expect(shown).toContain('href="/wallets/addresses?search=6f1c"');
  expect(marked(<AuditDetails row={row} known={{ ...known, names: {} }} />)).not.toContain("/wallets/addresses");
});
