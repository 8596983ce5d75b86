import { NextIntlClientProvider } from "next-intl";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import english from "@/messages/en.json";
import { AuditTable } from "./audit-trail";

const refused = {
  seq: 7,
  at: "2026-11-22T13:00:00.000Z",
  code: "accounts.close",
  outcome: "REFUSED" as const,
  actor: "nobody",
  byName: null,
  object: null,
  objectName: null,
  intentId: null,
  named: {},
  hash: "0f",
};

const ACCOUNT = "account:2b0c";
const known = { names: { [ACCOUNT]: "0001 / 12345-6" }, reasons: {} };

const shown = (detail: Record<string, string>, object: string | null = null) =>
  renderToStaticMarkup(
    <NextIntlClientProvider locale="en" messages={english} timeZone="America/Sao_Paulo">
      <AuditTable rows={[{ ...refused, detail, object }]} known={known} hasDays={false} />
    </NextIntlClientProvider>,
  );

it("says that a person refused a screen tried to read, not to act", () => {
  expect(shown({ needs: "finance" })).toContain(english.audit.codes.accounts.close);
  expect(shown({ needs: "finance", how: "read" })).not.toContain(english.audit.codes.accounts.close);
  expect(shown({ needs: "finance", how: "read" })).toContain("Refused visit");
});

it("names an account by its number and shortens only opaque ids", () => {
  expect(shown({}, ACCOUNT)).toContain("Account 0001 / 12345-6</a>");
  const other = "payee:cfde1817-51d2-4b6e-9a57-0b1c2d3e4f50";
  expect(shown({}, other)).toContain(`>${english.audit.objects.payee}<`);
});
